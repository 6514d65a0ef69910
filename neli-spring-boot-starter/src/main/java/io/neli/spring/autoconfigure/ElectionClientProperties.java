package io.neli.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.NeliException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * How the election's clients reach Kafka. Later sources win: the common part of {@code spring.kafka}, the connection details,
 * {@code neli.kafka}. Settings of the application's own consumers, producers and admin clients do not apply to the election,
 * nor does its client id, which three clients would share.
 */
final class ElectionClientProperties {

    /** What Boot itself adds to its clients' properties. */
    private static final List<String> BUNDLE_ENTRIES =
            List.of(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundle.class.getName());

    private ElectionClientProperties() {}

    static Map<String, Object> of(
            NeliProperties.Kafka own, @Nullable KafkaProperties common, @Nullable KafkaConnectionDetails details) {
        Map<String, Object> client = new HashMap<>();
        if (common != null) {
            client.putAll(common.getSsl().buildProperties());
            client.putAll(common.getSecurity().buildProperties());
            client.putAll(common.getProperties());
        }
        if (details != null) {
            putConnectionDetails(client, details);
        }
        if (own.properties().keySet().stream().anyMatch(ElectionClientProperties::isStore)) {
            BUNDLE_ENTRIES.forEach(client::remove); // it ignores any store but its own
        }
        client.putAll(own.properties());
        if (!own.bootstrapServers().isEmpty()) {
            putBootstrapServers(client, own.bootstrapServers());
        }
        if (!client.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new NeliException(
                    "neither neli.kafka.bootstrap-servers nor spring.kafka.bootstrap-servers is set",
                    "set neli.kafka.bootstrap-servers to the host:port pairs of some brokers");
        }
        return client;
    }

    private static void putConnectionDetails(Map<String, Object> client, KafkaConnectionDetails details) {
        putBootstrapServers(client, details.getBootstrapServers());
        String protocol = details.getSecurityProtocol();
        if (StringUtils.hasLength(protocol)) {
            client.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
        SslBundle bundle = details.getSslBundle();
        if (bundle != null) {
            client.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            client.put(SslBundle.class.getName(), bundle);
        }
    }

    private static boolean isStore(String property) {
        return property.startsWith("ssl.truststore.") || property.startsWith("ssl.keystore.");
    }

    private static void putBootstrapServers(Map<String, Object> client, List<String> servers) {
        client.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.join(",", servers));
    }
}
