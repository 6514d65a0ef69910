package io.neli.nats;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.nats.client.Connection;
import io.nats.client.api.MessageInfo;
import io.neli.cluster.Await;
import io.neli.cluster.Cluster;
import io.neli.cluster.GroupView;
import io.neli.internal.election.AssignmentPlan;
import io.neli.internal.election.Assignor;
import io.neli.internal.election.GroupCodec;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;

/** The members that have announced themselves in a stream, as every member sees them. */
final class PresenceView implements GroupView {

    private final Connection connection;
    private final String stream;

    PresenceView(String servers, String group) {
        this.connection = NatsServers.connect(servers);
        this.stream = group;
    }

    /** Members whose last announcement is still valid. */
    private List<MemberMetadata> present() {
        Map<MemberId, MemberMetadata> present = new HashMap<>();
        List<MessageInfo> messages = NatsServers.messages(connection, stream);
        for (MessageInfo message : messages) {
            if (message.getSubject().endsWith(".members")) {
                MemberMetadata reported = GroupCodec.decodeMetadata(message.getData());
                Duration age = Duration.between(
                        message.getTime(), messages.get(messages.size() - 1).getTime());
                long valid = Long.parseLong(message.getHeaders().getFirst("valid-for-ms"));
                present.remove(reported.member());
                if (age.toMillis() < valid) {
                    present.put(reported.member(), reported);
                }
            }
        }
        return List.copyOf(present.values());
    }

    @Override
    public void awaitSettled(List<String> names, String leader) {
        Await.until("the group has settled", Cluster.LIMIT, () -> isSettled(names, leader));
    }

    private boolean isSettled(List<String> names, String leader) {
        List<MemberMetadata> present = present();
        if (present.isEmpty()) {
            return false;
        }
        AssignmentPlan plan = Assignor.assign(present);
        MemberId owner = plan.shares().get(0).owner();
        return present.stream()
                        .map(member -> member.member().name())
                        .sorted()
                        .toList()
                        .equals(names.stream().sorted().toList())
                && owner != null
                && owner.name().equals(leader);
    }

    @Override
    public void close() {
        NatsServers.close(connection);
    }
}
