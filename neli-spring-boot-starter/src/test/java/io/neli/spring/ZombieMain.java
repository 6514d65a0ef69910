package io.neli.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.NotLeaderException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

import static org.awaitility.Awaitility.await;

/**
 * A leader that stops in the middle of a transaction until it reads a line, and then continues as if nothing had
 * happened. Prints the outcome of each step.
 */
public final class ZombieMain {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private ZombieMain() {}

    public static void main(String[] args) throws Exception {
        Map<String, Object> kafka = Map.of("bootstrap.servers", args[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LeaderKafkaTemplates<?, ?>[] listener = new LeaderKafkaTemplates<?, ?>[1];
        try (Neli neli = Neli.builder()
                .kafka(kafka)
                .groupId(args[1])
                .name("zombie")
                .listener(event -> listener[0].onEvent(event))
                .build()) {
            LeaderKafkaTemplates<String, String> templates = new LeaderKafkaTemplates<>(
                    new DefaultKafkaProducerFactory<>(kafka, new StringSerializer(), new StringSerializer()),
                    neli,
                    template -> {});
            listener[0] = templates;
            LeaderKafkaTemplate<String, String> template = templates.forRole(Neli.DEFAULT_ROLE);
            neli.start();
            if (neli.awaitLeadership(PATIENCE).isEmpty()) {
                throw new IllegalStateException("does not lead");
            }
            awaitPrepared(neli);
            write(template, args[2], input);
            // It learns from the log who leads, which takes a moment after it continues.
            await().atMost(PATIENCE)
                    .until(() -> neli.leader().filter(leader -> !leader.self()).isPresent());
            again(template, args[2]);
            input.readLine();
        }
    }

    @SuppressWarnings("try") // the task is only closed
    private static void awaitPrepared(Neli neli) throws InterruptedException {
        CountDownLatch prepared = new CountDownLatch(1);
        try (BackgroundTask task = neli.background(term -> prepared.countDown())) {
            prepared.await();
        }
    }

    /** Writes outside of work, so that nothing interrupts it: only the broker can refuse it. */
    private static void write(LeaderKafkaTemplate<String, String> template, String topic, BufferedReader input) {
        try {
            template.executeInTransaction(operations -> {
                try {
                    operations.send(topic, "zombie, before").get();
                    System.out.println("sent");
                    input.readLine();
                    operations.send(topic, "zombie, after").get();
                    System.out.println("sent after the thaw");
                } catch (ExecutionException | RuntimeException e) {
                    System.out.println("send failed: " + root(e));
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return true;
            });
            System.out.println("committed");
        } catch (RuntimeException e) {
            System.out.println("commit failed: " + root(e));
        }
    }

    private static void again(LeaderKafkaTemplate<String, String> template, String topic) {
        try {
            template.executeInTransaction(operations -> operations.send(topic, "zombie, again"));
            System.out.println("committed again");
        } catch (NotLeaderException e) {
            System.out.println("refused: " + e.getMessage());
        } catch (RuntimeException e) {
            System.out.println("failed: " + root(e));
        }
    }

    private static String root(Throwable failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure).getClass().getSimpleName();
    }
}
