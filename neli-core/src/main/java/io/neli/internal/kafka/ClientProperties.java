package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes each Kafka client's properties: the application's, overridden by those that the election needs. */
final class ClientProperties {

    private static final Logger log = LoggerFactory.getLogger(ClientProperties.class);

    /** Long, because a standby must keep the metadata and connections that its first bid needs. */
    private static final long IDLE_MILLIS = Duration.ofDays(365).toMillis();

    private static final int SHORTEST_PATIENCE_MILLIS = 2_000;
    private static final int LONGEST_PATIENCE_MILLIS = 30_000;

    /** Short, so that the client soon turns from a silent broker to another one. */
    private static final int ADMIN_REQUEST_MILLIS = 2_000;

    /** How long admin requests are retried. */
    private static final int ADMIN_PATIENCE_MILLIS = 6_000;

    /** Short, so that an unreachable broker delays nothing, but long enough to resend a lost packet. */
    private static final long CONNECTION_SETUP_MILLIS = 2_000;

    private static final long BACKOFF_MILLIS = 20;

    private static final int GROUP_HEARTBEAT_MILLIS = 500;

    /** One that is a whole value, or a quoted part of it, such as the password in {@code sasl.jaas.config}. */
    private static final Pattern PLACEHOLDER = Pattern.compile("(?<![^\"'])(\\$\\{[\\w.-]+})(?![^\"'])");

    /**
     * The application's properties that these clients never get. A static member sends no LeaveGroup. The reader has no
     * group and must be the classic consumer, which refuses the properties of share consumers. The others would change
     * what is read or written.
     */
    private static final Set<String> FOREIGN = Set.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            ConsumerConfig.CLIENT_RACK_CONFIG,
            ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
            "share.acquire.mode", // since Kafka 4.2
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG);

    private final KafkaSettings settings;
    private final long lease;

    ClientProperties(KafkaSettings settings) {
        this.settings = settings;
        this.lease = settings.shell().election().leaseDuration().toMillis();
    }

    /**
     * The timeout of the reader's requests. A short one would drop good connections while packets are lost, which costs
     * more than it saves. With a quorum, a connection serves only one log of a partition, and a long timeout would make
     * a starting member wait for a frozen broker.
     */
    private int patienceMillis() {
        int longest = settings.isQuorum() ? SHORTEST_PATIENCE_MILLIS : LONGEST_PATIENCE_MILLIS;
        return Math.toIntExact(Math.min(longest, Math.max(SHORTEST_PATIENCE_MILLIS, 2 * lease)));
    }

    Map<String, Object> reader(String purpose) {
        Map<String, Object> ours = common(purpose);
        ours.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis());
        ours.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis());
        ours.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        ours.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        ours.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        ours.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000); // each poll is a step of all partitions
        return lay(consumer(ours), ConsumerConfig.configNames());
    }

    Map<String, Object> group() {
        Map<String, Object> ours = common("group");
        ours.put(ConsumerConfig.GROUP_ID_CONFIG, settings.consumerGroup());
        ours.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        ours.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, NeliAssignor.class.getName());
        // A rebalance lasts until every member's next heartbeat.
        ours.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, GROUP_HEARTBEAT_MILLIS);
        // An idle consumer and its heartbeat thread wake up this often. Nothing urgent waits for the group.
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, (long) GROUP_HEARTBEAT_MILLIS);
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, (long) GROUP_HEARTBEAT_MILLIS);
        ours.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Math.toIntExact(KafkaSettings.SESSION_TIMEOUT.toMillis()));
        // A hanging member delays an eager rebalance this long.
        ours.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 10_000);
        return lay(consumer(ours), ConsumerConfig.configNames());
    }

    private static Map<String, Object> consumer(Map<String, Object> ours) {
        ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // any loss of records must throw an exception
        ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return ours;
    }

    Map<String, Object> writer() {
        return lay(writer("out"), ProducerConfig.configNames());
    }

    private Map<String, Object> writer(String purpose) {
        Map<String, Object> ours = common(purpose);
        ours.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        ours.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        ours.put(ProducerConfig.ACKS_CONFIG, "all");
        ours.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        ours.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        ours.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        ours.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        ours.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0); // send() must never block the election's thread
        ours.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(lease));
        ours.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(Math.min(lease / 2, 2000)));
        ours.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, IDLE_MILLIS);
        ours.put(ProducerConfig.BATCH_SIZE_CONFIG, 1024);
        ours.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 1024L * 1024);
        ours.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        return ours;
    }

    /** For the records of runs. Nothing urgent waits for them: brokers may first elect a leader of the topic. */
    Map<String, Object> runsWriter(Duration limit) {
        Map<String, Object> ours = writer("runs-out");
        ours.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, limit.toMillis());
        ours.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(limit.toMillis()));
        ours.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_REQUEST_MILLIS);
        return lay(ours, ProducerConfig.configNames());
    }

    Map<String, Object> admin() {
        Map<String, Object> ours = common("admin");
        ours.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_REQUEST_MILLIS);
        ours.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_PATIENCE_MILLIS);
        return lay(ours, AdminClientConfig.configNames());
    }

    /**
     * Checks what needs no connection. Hosts are not looked up and files are not read, because both may be there later.
     *
     * @throws UnusableLogException if a value is a placeholder that nothing has replaced
     * @throws KafkaException if a client would refuse its properties
     */
    void check() {
        if (settings.client().containsKey(AbstractConfig.CONFIG_PROVIDERS_CONFIG)) {
            return; // the values are elsewhere
        }
        AbstractConfig admin = parsed(AdminClientConfig.configDef(), admin());
        parsed(ConsumerConfig.configDef(), reader("log"));
        parsed(ConsumerConfig.configDef(), group());
        parsed(ProducerConfig.configDef(), writer());
        admin.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG).forEach(ClientProperties::checkAddress);
        checkJaas(admin);
    }

    private static AbstractConfig parsed(ConfigDef definition, Map<String, Object> properties) {
        definition.names().forEach(name -> checkReplaced(name, properties));
        return new AbstractConfig(definition, properties, false);
    }

    /** The client ignores what only other protocols need, such as a password that a developer's machine lacks. */
    private static void checkReplaced(String property, Map<String, Object> properties) {
        String protocol = String.valueOf(properties.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG))
                .toUpperCase(Locale.ROOT);
        boolean ignored = (property.startsWith("sasl.") && !protocol.contains("SASL_"))
                || (property.startsWith("ssl.") && !protocol.contains("SSL"));
        Matcher placeholder = PLACEHOLDER.matcher(String.valueOf(properties.get(property)));
        if (!ignored && placeholder.find()) {
            throw new UnusableLogException(
                    property + " (by neli.kafka or spring.kafka) has the value '" + placeholder.group(1)
                            + "': nothing has replaced this placeholder",
                    "set the property or environment variable that it names, or correct the name");
        }
    }

    private static void checkAddress(String address) {
        if (!address.isEmpty() && !isComplete(address)) { // clients of some versions skip empty ones
            throw new ConfigException(
                    CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, address, "it must be a host and a port");
        }
    }

    private static boolean isComplete(String address) {
        try {
            Integer port = Utils.getPort(address);
            return port != null && port <= ShellSettings.LARGEST_PORT;
        } catch (NumberFormatException e) { // the port is too large for an int
            return false;
        }
    }

    /** A configuration outside these properties, in a file, may be there later. */
    private static void checkJaas(AbstractConfig client) {
        String protocol = client.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        if (protocol.toUpperCase(Locale.ROOT).startsWith("SASL_")
                && client.getPassword(SaslConfigs.SASL_JAAS_CONFIG) != null) {
            try {
                JaasContext.loadClientContext(client.values());
            } catch (IllegalArgumentException e) {
                throw new KafkaException(e);
            }
        }
    }

    /** Logs, in one line, the names of the application's properties that the election does not use. */
    void logOverridden() {
        Set<String> names = overridden();
        if (!names.isEmpty()) {
            log.info(
                    "Group {}: these client properties are the application's own and not used for the election: {}",
                    settings.shell().groupId(),
                    names);
        }
    }

    Set<String> overridden() {
        List<Map<String, Object>> clients = List.of(reader("log"), group(), writer(), admin());
        Set<String> overridden = new TreeSet<>();
        settings.client().forEach((name, value) -> {
            String given = String.valueOf(value);
            if (FOREIGN.contains(name)
                    || clients.stream()
                            .anyMatch(client -> !given.equals(String.valueOf(client.getOrDefault(name, value))))) {
                overridden.add(name);
            }
        });
        return overridden;
    }

    private Map<String, Object> common(String purpose) {
        Map<String, Object> ours = new HashMap<>();
        ours.put(
                CommonClientConfigs.CLIENT_ID_CONFIG, "neli-" + settings.shell().name() + "-" + purpose);
        ours.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 30_000L);
        ours.put(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG, IDLE_MILLIS);
        ours.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        ours.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, Math.min(500, lease / 2));
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        ours.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, Math.min(200, lease / 2));
        return ours;
    }

    private Map<String, Object> lay(Map<String, Object> ours, Set<String> known) {
        Map<String, Object> properties = new HashMap<>();
        // Metrics push would delay each start of a client, even if the brokers want no metrics.
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, CONNECTION_SETUP_MILLIS);
        settings.client().forEach((name, value) -> {
            if (!FOREIGN.contains(name) && (known.contains(name) || !isOfSomeClient(name))) {
                properties.put(name, value);
            }
        });
        properties.putAll(ours);
        return properties;
    }

    private static boolean isOfSomeClient(String name) {
        return ConsumerConfig.configNames().contains(name)
                || ProducerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name);
    }
}
