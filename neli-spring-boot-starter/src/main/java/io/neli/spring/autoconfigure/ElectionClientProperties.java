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
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Creates the properties of the election's Kafka clients. Later sources win: the common part of {@code spring.kafka},
 * {@code neli.kafka}, connection details other than Boot's own view of {@code spring.kafka}. Settings of the
 * application's own consumers, producers and admin clients do not apply to the election. Neither does its client id,
 * which the election's three clients would share.
 */
final class ElectionClientProperties {

    private ElectionClientProperties() {}

    static Map<String, Object> of(
            NeliProperties.Kafka own,
            @Nullable KafkaProperties common,
            @Nullable KafkaConnectionDetails details,
            @Nullable SslBundles bundles) {
        Map<String, Object> client = new HashMap<>();
        if (common != null) {
            client.putAll(common.getSsl().buildProperties());
            client.putAll(common.getSecurity().buildProperties());
            client.putAll(common.getProperties());
        }
        boolean service = details != null && !ofProperties(details);
        if (details != null && !service) {
            connect(client, details);
        }
        String bundle = StringUtils.hasText(own.ssl().bundle()) ? own.ssl().bundle() : null;
        for (String property : own.properties().keySet()) {
            if (property.startsWith("ssl.truststore.") || property.startsWith("ssl.keystore.")) {
                if (bundle != null) {
                    throw new NeliException(
                            "neli.kafka.ssl.bundle is '" + bundle + "', which ignores neli.kafka.properties."
                                    + property,
                            "set one of the two");
                }
                client.remove(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG); // a bundle would ignore these stores
                client.remove(SslBundle.class.getName());
            }
        }
        client.putAll(own.properties());
        connect(
                client,
                own.bootstrapServers(),
                own.security().protocol(),
                bundle == null ? null : NamedSslBundle.find(bundles, "neli.kafka.ssl.bundle", bundle));
        if (details != null && service) {
            connect(client, details);
        }
        return client;
    }

    /** Whether this is Boot's own bean, whose class is not public. */
    private static boolean ofProperties(KafkaConnectionDetails details) {
        return details.getClass().getPackage().equals(KafkaProperties.class.getPackage());
    }

    private static void connect(Map<String, Object> client, KafkaConnectionDetails details) {
        connect(client, details.getBootstrapServers(), details.getSecurityProtocol(), details.getSslBundle());
    }

    private static void connect(
            Map<String, Object> client, List<String> servers, @Nullable String protocol, @Nullable SslBundle bundle) {
        if (!servers.isEmpty()) {
            client.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.join(",", servers));
        }
        if (StringUtils.hasLength(protocol)) {
            client.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
        if (bundle != null) {
            client.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            client.put(SslBundle.class.getName(), bundle);
        }
    }
}
