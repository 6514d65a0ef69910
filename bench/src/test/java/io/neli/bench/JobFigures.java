package io.neli.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.neli.Job;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Neli;
import io.neli.cluster.BrokerProcess;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunText;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Measures how long a due job waits at the beginning of a term, until the leader has read which runs came before. */
final class JobFigures {

    private static final List<Integer> RUNS_BEHIND = List.of(0, 100, 10_000);
    private static final String JOB = "close books";
    private static final Job.Schedule DAILY = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final BrokerProcess broker;
    private final int runs;

    JobFigures(BrokerProcess broker, int runs) {
        this.broker = broker;
        this.runs = runs;
    }

    List<Figure> firstRun() {
        return RUNS_BEHIND.stream().map(this::firstRunAfter).toList();
    }

    /** Measures the worst case: no earlier record has been compacted away. */
    private Figure firstRunAfter(int behind) {
        Figure figure = new Figure(
                "LeaderAcquired to the begin of a job that is due, %,d runs behind it".formatted(behind),
                "ms",
                Double.NaN,
                Double.NaN);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            for (int run = 0; run < runs; run++) {
                String group = "jobs-" + UUID.randomUUID();
                fill(group, behind);
                figure.addNanos(nanosToFirstRun(group, executor));
            }
        } finally {
            executor.shutdownNow();
        }
        return figure;
    }

    private long nanosToFirstRun(String group, ExecutorService executor) {
        CompletableFuture<Long> acquired = new CompletableFuture<>();
        CompletableFuture<Long> begun = new CompletableFuture<>();
        try (Neli neli = Neli.builder()
                .kafka(Map.of("bootstrap.servers", broker.address()))
                .groupId(group)
                .listener(event -> {
                    if (event instanceof LeaderAcquired) {
                        acquired.complete(System.nanoTime());
                    }
                })
                .build()) {
            neli.schedule(new Job(
                    JOB,
                    Neli.DEFAULT_ROLE,
                    DAILY,
                    Job.Guarantee.AT_LEAST_ONCE,
                    executor,
                    run -> begun.complete(System.nanoTime())));
            neli.start();
            return begun.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join() - acquired.join();
        }
    }

    /** Writes two records for each run, as a leader does. */
    private void fill(String group, int behind) {
        String topic = group + ".neli.runs";
        Map<String, Object> client = Map.of("bootstrap.servers", broker.address());
        try (Admin admin = Admin.create(client);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
            byte[] key = bytes(RunText.key(group, new RunKey(JOB, 1, 0)));
            for (int past = 0; past < behind; past++) {
                Instant due = Instant.ofEpochSecond(past);
                for (Instant ended : Arrays.asList(null, due.plusSeconds(1))) {
                    RunRecord run = new RunRecord(JOB, due, due, ended, ended != null, DAILY.text(), "x", 1);
                    producer.send(new ProducerRecord<>(topic, 0, key, bytes(RunText.value(run))));
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
