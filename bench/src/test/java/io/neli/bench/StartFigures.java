package io.neli.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import io.neli.Mode;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.internal.kafka.KafkaLogs;
import io.neli.internal.kafka.KafkaSettings;
import io.neli.internal.shell.Effects;
import io.neli.internal.shell.ElectionThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Measures how a member starts on logs to which a leader has written for hours. */
final class StartFigures {

    private static final int RECORDS = 12_000;
    private static final Duration POLL_LIMIT = Duration.ofSeconds(60);

    private final BrokerProcess broker;
    private final int runs;

    StartFigures(BrokerProcess broker, int runs) {
        this.broker = broker;
        this.runs = runs;
    }

    List<Figure> onLogs(int partitions, double target) {
        Figure figure = new Figure(
                "%,d partitions with %,d records each: start() to eligible and caught up on all"
                        .formatted(partitions, RECORDS),
                "ms",
                target,
                Double.NaN);
        KafkaSettings settings = settings(partitions);
        fill(settings, partitions);
        for (int run = 0; run < runs; run++) {
            ElectionThread member = member(settings);
            long start = System.nanoTime();
            member.start();
            Await.until("all is read", POLL_LIMIT, () -> isCaughtUp(member));
            figure.addNanos(System.nanoTime() - start);
            member.close();
        }
        return List.of(figure);
    }

    private static ElectionThread member(KafkaSettings settings) {
        MemberClock clock = MemberClock.system();
        Problems problems = new Problems(settings.shell().groupId());
        return new ElectionThread(
                settings.shell(),
                driver -> new KafkaLogs(settings, clock, problems, driver),
                clock,
                new Effects(event -> {}, (partition, term) -> {}, new MetricsReporter(List.of()), problems));
    }

    private static boolean isCaughtUp(ElectionThread member) {
        ElectionState state = member.driver().state();
        return state.eligibility().isEligibleAt(MemberClock.system().time())
                && state.partitions().stream()
                        .allMatch(partition -> partition.logs().get(0).position() >= RECORDS);
    }

    private KafkaSettings settings(int partitions) {
        String group = "look-back-" + UUID.randomUUID();
        ElectionSettings election = new ElectionSettings(
                Cluster.DEFAULT_LEASE,
                Duration.ofMillis(500),
                Duration.ofSeconds(20),
                new GroupConfig(Mode.EXCLUSIVE, partitions, "none", 1),
                Map.of());
        Map<String, Object> kafka = Map.of("bootstrap.servers", broker.address());
        ShellSettings shell = new ShellSettings("member", group, group + ".neli", true, 0, List.of(), election);
        return new KafkaSettings(kafka, shell, true, null, Duration.ofHours(1));
    }

    /** Writes one term, whose claim is the first record. */
    private static void fill(KafkaSettings settings, int partitions) {
        RecordCodec codec = new RecordCodec(settings.shell().groupId());
        MemberId former = new MemberId("former", UUID.randomUUID());
        Map<String, Object> producing = new HashMap<>(settings.client());
        producing.putAll(Map.of("batch.size", 16_384, "linger.ms", 50, "compression.type", "lz4", "acks", "1"));
        try (Admin admin = Admin.create(settings.client());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(settings.shell().topic(), partitions, (short) 1)))
                    .all()
                    .get();
            for (int offset = 0; offset < RECORDS; offset++) {
                LogRecord record = Records.heartbeat(
                        former,
                        offset,
                        settings.shell().election().leaseDuration(),
                        settings.shell().election().groupConfig().of(0),
                        0,
                        true,
                        Math.max(0, offset - 1));
                Map<String, byte[]> headers = codec.encode(record);
                IntStream.range(0, partitions).forEach(partition -> {
                    ProducerRecord<byte[], byte[]> message =
                            new ProducerRecord<>(settings.shell().topic(), partition, codec.key(), null);
                    headers.forEach(message.headers()::add);
                    producer.send(message);
                });
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
