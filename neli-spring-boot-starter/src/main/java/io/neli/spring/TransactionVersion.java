package io.neli.spring;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/** Checks the brokers' {@code transaction.version}: below 2, a delayed commit can end a later transaction (KIP-890). */
final class TransactionVersion {

    private static final Logger log = LoggerFactory.getLogger(LeaderKafkaTemplates.class);
    private static final String FEATURE = "transaction.version";
    private static final int NEEDED = 2;
    private static final long PATIENCE_MILLIS = 10_000;

    private TransactionVersion() {}

    /** Logs a warning if the version is too low, but none if the brokers do not answer. */
    static void check(Map<String, Object> clientProperties) {
        try {
            int version = ask(clientProperties);
            if (version < NEEDED) {
                log.warn(
                        "The brokers have {} {}, with which a delayed commit or abort can end a later transaction of a"
                                + " LeaderKafkaTemplate: kafka-features.sh --bootstrap-server {} upgrade --feature"
                                + " {}={}",
                        FEATURE,
                        version,
                        servers(clientProperties),
                        FEATURE,
                        NEEDED);
            }
        } catch (RuntimeException | ExecutionException | TimeoutException e) {
            log.debug("The brokers do not say which {} they have", FEATURE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The servers as {@code kafka-features.sh} expects them, separated by commas; Spring Boot's property is a list. */
    private static @Nullable Object servers(Map<String, Object> clientProperties) {
        Object servers = clientProperties.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
        return servers instanceof Collection<?> several
                ? StringUtils.collectionToCommaDelimitedString(several)
                : servers;
    }

    private static int ask(Map<String, Object> clientProperties)
            throws ExecutionException, TimeoutException, InterruptedException {
        Admin admin = Admin.create(clientProperties);
        try {
            FinalizedVersionRange finalized = admin.describeFeatures()
                    .featureMetadata()
                    .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .finalizedFeatures()
                    .get(FEATURE);
            return finalized == null ? 0 : finalized.maxVersionLevel();
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
