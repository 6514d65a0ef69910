package io.neli.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.LeaderEvent.LeaderAcquired;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class TransactionVersionIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Map<String, Object> BROKER = Map.of("bootstrap.servers", List.of(SharedBroker.address()));
    private static final String FEATURE = "transaction.version";
    private static final String WARNING = "The brokers have transaction.version 1";

    @AfterEach
    void restore() {
        finalizeVersion(2);
    }

    @Test
    void below_2_the_leader_warns_once(CapturedOutput output) throws InterruptedException {
        finalizeVersion(1);
        StubNeli neli = StubNeli.leading();
        LeaderKafkaTemplates<String, String> templates = new LeaderKafkaTemplates<>(
                new DefaultKafkaProducerFactory<>(BROKER, new StringSerializer(), new StringSerializer()),
                neli,
                template -> {});
        templates.onEvent(new LeaderAcquired("invoices", 0, StubNeli.TOKEN)); // no transaction has been sent yet
        assertThat(templates.versionCheck).hasNullValue();

        templates.forRole("invoices");
        templates.onEvent(new LeaderAcquired("invoices", 0, StubNeli.TOKEN));
        templates.onEvent(new LeaderAcquired("invoices", 0, StubNeli.TOKEN));
        await().atMost(PATIENCE).until(() -> output.getAll().contains(WARNING));
        templates.destroy();

        assertThat(templates.versionCheck.get().isAlive()).isFalse();
        assertThat(output.getAll().split(WARNING)).as(output.getAll()).hasSize(2);
        assertThat(output)
                .contains("kafka-features.sh --bootstrap-server " + SharedBroker.address()
                        + " upgrade --feature transaction.version=2");
    }

    @Test
    void with_2_or_unknown_it_does_not_warn(CapturedOutput output) {
        TransactionVersion.check(BROKER);
        TransactionVersion.check(Map.of("bootstrap.servers", "localhost:1", "default.api.timeout.ms", 100));
        TransactionVersion.check(Map.of());

        assertThat(output).doesNotContain("The brokers have");
    }

    private static void finalizeVersion(int level) {
        try (Admin admin = Admin.create(BROKER)) {
            UpgradeType type = level < 2 ? UpgradeType.SAFE_DOWNGRADE : UpgradeType.UPGRADE;
            admin.updateFeatures(Map.of(FEATURE, new FeatureUpdate((short) level, type)), new UpdateFeaturesOptions())
                    .all()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            // The broker applies the change only when it has read it from its log.
            await().atMost(PATIENCE)
                    .until(() -> admin.describeFeatures()
                                    .featureMetadata()
                                    .get()
                                    .finalizedFeatures()
                                    .get(FEATURE)
                                    .maxVersionLevel()
                            == level);
        }
    }
}
