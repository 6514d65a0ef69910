package io.neli.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;

/** The consumer group of the members, as {@code kafka-consumer-groups} shows it. The topic has the same name. */
public final class ConsumerGroupView implements GroupView {

    private final Admin admin;
    private final String group;

    public ConsumerGroupView(String servers, String group) {
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
        this.group = group + ".neli";
    }

    private List<MemberDescription> describe() throws InterruptedException {
        try {
            return List.copyOf(admin.describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .get(group)
                    .members());
        } catch (ExecutionException e) {
            return List.of(); // the group does not exist yet
        }
    }

    /** The members' client ids, sorted. */
    List<String> clientIds() throws InterruptedException {
        return describe().stream().map(MemberDescription::clientId).sorted().toList();
    }

    /** The client ids of the owners of partition 0 of the leader topic: one, once the group has settled. */
    List<String> owners() throws InterruptedException {
        TopicPartition partition = new TopicPartition(group, 0);
        return describe().stream()
                .filter(member -> member.assignment().topicPartitions().contains(partition))
                .map(MemberDescription::clientId)
                .toList();
    }

    @Override
    public void awaitSettled(List<String> names, String leader) {
        List<String> expected =
                names.stream().map(ConsumerGroupView::clientId).sorted().toList();
        Await.until(
                "the group has settled",
                Cluster.LIMIT,
                () -> clientIds().equals(expected) && owners().equals(List.of(clientId(leader))));
    }

    static String clientId(String name) {
        return "neli-" + name + "-group";
    }

    @Override
    public void close() {
        admin.close();
    }
}
