package io.neli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import io.neli.Neli;
import io.neli.bench.QuietGroup.Timing;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.cluster.ConsumerGroupView;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Measures what one member does: close, fall silent, start. */
final class SingleFigures {

    private final BrokerProcess broker;
    private final int runs;

    SingleFigures(BrokerProcess broker, int runs) {
        this.broker = broker;
        this.runs = runs;
    }

    private Neli member(String group, String name) {
        return Neli.builder()
                .kafka(Map.of("bootstrap.servers", broker.address()))
                .groupId(group)
                .name(name)
                .build();
    }

    /** Three members in this JVM: the leader is closed and then started again. */
    List<Figure> close() {
        Figure figure = new Figure("close() of a leader inside one JVM", "ms", 15, Double.NaN);
        Figure early = new Figure("close() of a leader that has just started to join its group", "ms", 15, Double.NaN);
        String id = "close-" + UUID.randomUUID();
        List<Neli> members = new ArrayList<>();
        try (ConsumerGroupView view = new ConsumerGroupView(broker.address(), id)) {
            for (String name : List.of("a", "b", "c")) {
                members.add(member(id, name));
            }
            for (int run = 0; run < runs; run++) {
                members.forEach(Neli::start);
                Neli leader = awaitLeader(members);
                view.awaitSettled(List.of("a", "b", "c"), leader.snapshot().name());
                figure.addNanos(nanosToClose(leader));
                try (Neli alone = member("alone-" + UUID.randomUUID(), "alone")) {
                    alone.start();
                    early.addNanos(nanosToClose(awaitLeader(List.of(alone))));
                }
            }
        } finally {
            members.forEach(Neli::close);
        }
        return List.of(figure, early);
    }

    private static long nanosToClose(Neli leader) {
        long start = System.nanoTime();
        leader.close();
        return System.nanoTime() - start;
    }

    private static Neli awaitLeader(List<Neli> members) {
        Await.until("somebody leads", Cluster.LIMIT, () -> members.stream().anyMatch(Neli::isLeader));
        return members.stream().filter(Neli::isLeader).findFirst().orElseThrow();
    }

    /** The leader is stopped right after a heartbeat, for 0.6 leases. */
    List<Figure> silence() {
        Figure lost = new Figure("a leader silent for 0.6 leases: terms lost", "terms", Double.NaN, 0);
        try (QuietGroup group = new QuietGroup(broker, "silent", Timing.DEFAULT);
                Heartbeats heartbeats = new Heartbeats(broker, group.id())) {
            for (int run = 0; run < runs; run++) {
                MemberProcess leader = group.complete("a", "b", "c");
                heartbeats.awaitNext();
                long stopped = leader.stop();
                Duration silence = Duration.ofNanos(group.lease().toNanos() * 6 / 10);
                Await.elapsed(silence.minusNanos(System.nanoTime() - stopped));
                leader.resume();
                Await.elapsed(group.lease()); // long enough for a member that has bid to claim and lead
                lost.add(group.acquisitionsAfter(stopped));
            }
        }
        return List.of(lost);
    }

    /** Watches what is written to the leader topic. */
    private static final class Heartbeats implements AutoCloseable {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final TopicPartition partition;

        Heartbeats(BrokerProcess broker, String group) {
            Properties properties = new Properties();
            properties.setProperty("bootstrap.servers", broker.address());
            properties.setProperty("auto.offset.reset", "latest");
            properties.setProperty("allow.auto.create.topics", "false");
            consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            partition = new TopicPartition(group + ".neli", 0);
        }

        void awaitNext() {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
            Await.until("a heartbeat", Cluster.LIMIT, () -> !consumer.poll(Duration.ofSeconds(1))
                    .isEmpty());
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    /** Each member starts in its own JVM, on a topic that does not exist yet. */
    List<Figure> start() {
        Figure figure = new Figure("start() to LeaderAcquired, no topic yet, new JVM", "ms", 500, Double.NaN);
        for (int run = 0; run < runs; run++) {
            try (QuietGroup group = new QuietGroup(broker, "start", Timing.DEFAULT)) {
                group.start("a");
                Line starting = group.await(line -> line.kind() == Kind.STARTING);
                Line acquired = group.await(line -> line.kind() == Kind.ACQUIRED);
                figure.addNanos(acquired.nanos() - starting.nanos());
            }
        }
        return List.of(figure);
    }
}
