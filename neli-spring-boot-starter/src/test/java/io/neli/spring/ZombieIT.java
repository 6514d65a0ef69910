package io.neli.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.cluster.JavaProcess;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A leader in its own process, which a signal stops in the middle of a transaction, and its successor. */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "sends SIGSTOP and SIGCONT")
class ZombieIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> said = new CopyOnWriteArrayList<>();

    @Test
    void a_send_after_another_has_taken_over_is_never_committed() throws Exception {
        String topic = "invoices-" + UUID.randomUUID();
        SharedBroker.get().addTopics(topic);
        String group = "billing-" + topic;
        JavaProcess zombie =
                JavaProcess.start("zombie.log", "-Xmx96m", ZombieMain.class, SharedBroker.address(), group, topic);
        read(zombie);
        try {
            await().atMost(PATIENCE).until(() -> said.contains("sent"));
            zombie.stop();
            say(zombie, "continue"); // the first thing it reads after it continues

            Map<String, Object> kafka = Map.of("bootstrap.servers", SharedBroker.address());
            LeaderKafkaTemplates<?, ?>[] listener = new LeaderKafkaTemplates<?, ?>[1];
            try (Neli successor = Neli.builder()
                    .kafka(kafka)
                    .groupId(group)
                    .name("successor")
                    .listener(event -> listener[0].onEvent(event))
                    .build()) {
                LeaderKafkaTemplates<String, String> templates = new LeaderKafkaTemplates<>(
                        new DefaultKafkaProducerFactory<>(kafka, new StringSerializer(), new StringSerializer()),
                        successor,
                        template -> {});
                listener[0] = templates;
                LeaderKafkaTemplate<String, String> template = templates.forRole(Neli.DEFAULT_ROLE);
                successor.start();
                write(successor, template, topic, "successor, 1");

                zombie.resume();
                await().atMost(PATIENCE).until(() -> said.size() == 4);
                write(successor, template, topic, "successor, 2");
            }

            List<String> all = List.copyOf(said);
            assertThat(all.subList(1, 3))
                    .allSatisfy(line -> assertThat(line).containsAnyOf("ProducerFenced", "InvalidProducerEpoch"));
            assertThat(all.get(1)).startsWith("send failed: ");
            assertThat(all.get(2)).startsWith("commit failed: ");
            assertThat(all.get(3)).startsWith("refused: ").contains("'successor' leads");
            assertThat(Committed.values(topic)).containsExactly("successor, 1", "successor, 2");
        } finally {
            zombie.destroy();
        }
    }

    private static void write(Neli neli, LeaderKafkaTemplate<String, String> template, String topic, String value) {
        await().atMost(PATIENCE).until(() -> {
            try (LeaderWork work = neli.beginWork().orElse(null)) {
                if (work == null) {
                    return false;
                }
                template.executeInTransaction(operations -> operations.send(topic, value));
                return true;
            }
        });
    }

    private void read(JavaProcess process) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = process.io().inputReader(StandardCharsets.UTF_8)) {
                        lines.lines().forEach(said::add);
                    } catch (IOException | UncheckedIOException e) {
                        // the process was killed
                    }
                },
                "zombie-output");
        reader.setDaemon(true);
        reader.start();
    }

    private static void say(JavaProcess process, String line) throws IOException {
        process.io().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.io().getOutputStream().flush();
    }
}
