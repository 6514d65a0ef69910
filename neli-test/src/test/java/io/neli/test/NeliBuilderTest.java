package io.neli.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NeliBuilderTest {

    /** Settings with one value, which is given as it is shown in messages. */
    private static final Map<String, BiConsumer<NeliBuilder, String>> SETTINGS = Map.ofEntries(
            Map.entry("neli.group-id", NeliBuilder::groupId),
            Map.entry("neli.topic.name", NeliBuilder::topic),
            Map.entry("neli.name", NeliBuilder::name),
            Map.entry("neli.partitions", number(NeliBuilder::partitions)),
            Map.entry("neli.quorum", number(NeliBuilder::quorum)),
            Map.entry("neli.topic.replication-factor", number(NeliBuilder::replicationFactor)),
            Map.entry("neli.topic.retention", duration(NeliBuilder::retention)),
            Map.entry("neli.lease-duration", duration(NeliBuilder::leaseDuration)),
            Map.entry("neli.heartbeat-interval", duration(NeliBuilder::heartbeatInterval)),
            Map.entry("neli.handover-timeout", duration(NeliBuilder::handoverTimeout)),
            Map.entry("neli.fail-fast", duration(NeliBuilder::failFast)),
            Map.entry("neli.work.limit", duration(NeliBuilder::workLimit)),
            Map.entry("neli.work.warn-after", duration(NeliBuilder::workWarnAfter)));

    private static BiConsumer<NeliBuilder, String> number(BiConsumer<NeliBuilder, Integer> setting) {
        return (builder, text) -> setting.accept(builder, Integer.valueOf(text));
    }

    private static BiConsumer<NeliBuilder, String> duration(BiConsumer<NeliBuilder, Duration> setting) {
        return (builder, text) -> {
            String[] parts = text.split("(?=ms|s)", 2);
            long count = Long.parseLong(parts[0]);
            setting.accept(builder, parts[1].equals("ms") ? Duration.ofMillis(count) : Duration.ofSeconds(count));
        };
    }

    private static NeliBuilder builder() {
        return Neli.builder()
                .kafka(Map.of("bootstrap.servers", "localhost:9092"))
                .groupId("billing");
    }

    private static void assertRefused(NeliBuilder builder, String property, String value, String fix) {
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(builder::build)
                .withMessageStartingWith(property + " is '" + value)
                .withMessageContaining(fix);
    }

    private static void assertRefused(Consumer<NeliBuilder> setting, String property, String value, String fix) {
        NeliBuilder builder = builder();
        setting.accept(builder);
        assertRefused(builder, property, value, fix);
    }

    private static void assertAccepted(Consumer<NeliBuilder> setting) {
        NeliBuilder builder = builder();
        setting.accept(builder);
        assertThat(builder.build().snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    neli.group-id                 | ''                             | name the group
                    neli.group-id                 | '  '                           | name the group
                    neli.group-id                 | 'a\nb'                         | printable
                    neli.topic.name               | ''                             | letters, digits
                    neli.topic.name               | .; ..; a/b; a b; ä             | letters, digits
                    neli.name                     | ''                             | leave the setting out
                    neli.name                     | ' \t'                          | leave the setting out
                    neli.partitions               | 0; -1; 2147483647              | use 1 to 10000
                    neli.quorum                   | -1; 0; 2; 4; 7                 | use 1, or 3 or 5
                    neli.topic.replication-factor | 0                              | 1 to 32767
                    neli.topic.replication-factor | 40000                          | leave it out
                    neli.topic.retention          | 3540s                          | 3600s or more
                    neli.topic.retention          | 8640000001s                    | at most 8640000000s
                    neli.lease-duration           | 1900ms                         | or lower the interval to 475ms
                    neli.lease-duration           | 1ms                            | raise the lease to 2s or more
                    neli.lease-duration           | -1ms; 0s                       | raise
                    neli.lease-duration           | 9223372036854775807s           | at most 600s
                    neli.heartbeat-interval       | 0s; -3ms; 9223372036854775807s | use 5ms to
                    neli.handover-timeout         | 30ms                           | 100ms to 86400s, longer than work
                    neli.handover-timeout         | -1s; 9223372036854775807s      | use 100ms
                    neli.fail-fast                | 0s                             | leave it out
                    neli.work.limit               | 499ms                          | interval, which is '500ms'
                    neli.work.limit               | -1s                            | leave it out
                    neli.work.warn-after          | 0s                             | leave it out
                    """)
    void values_that_cannot_work_are_refused_with_what_to_set_instead(String property, String values, String fix) {
        for (String value : values.split("; ", -1)) {
            assertRefused(builder -> SETTINGS.get(property).accept(builder, value), property, value, fix);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "neli.quorum, 1; 3; 5",
        "neli.lease-duration, 2s",
        "neli.fail-fast, 9223372036854775807s",
        "neli.work.limit, 500ms; 9223372036854775807s",
        "neli.work.warn-after, 9223372036854775807s"
    })
    void values_within_the_bounds_are_accepted(String property, String values) {
        for (String value : values.split("; ")) {
            assertAccepted(builder -> SETTINGS.get(property).accept(builder, value));
        }
    }

    @Test
    void a_group_id_and_an_address_are_enough() {
        NeliSnapshot snapshot = builder().build().snapshot();
        assertThat(snapshot.groupId()).isEqualTo("billing");
        assertThat(snapshot.topic()).isEqualTo("billing.neli");
        assertThat(snapshot.name()).contains("_" + ProcessHandle.current().pid() + "_");
    }

    @Test
    void a_group_id_and_an_address_are_needed() {
        NeliBuilder none = Neli.builder().kafka(Map.of("bootstrap.servers", "localhost:9092"));
        assertRefused(none, "neli.group-id", "null", "name the group");

        Map<String, Object> unset = new HashMap<>();
        unset.put("bootstrap.servers", null);
        assertRefused(builder -> builder.kafka(unset), "neli.kafka.bootstrap-servers", "null", "host:port");
        assertRefused(builder -> builder.kafka(Map.of()), "neli.kafka.bootstrap-servers", "null", "host:port");
        for (Object servers : new Object[] {"", " ", List.of()}) {
            Map<String, Object> kafka = Map.of("bootstrap.servers", servers);
            assertRefused(builder -> builder.kafka(kafka), "neli.kafka.bootstrap-servers", "", "host:port");
        }
    }

    @Test
    void a_property_of_the_client_without_value_is_as_good_as_none() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", "localhost:9092");
        properties.put("ssl.truststore.location", null);
        assertAccepted(builder -> builder.kafka(properties));
    }

    private static Map<String, Object> client(String property, Object value) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", "localhost:9092");
        properties.put("security.protocol", "SASL_SSL");
        properties.put(property, value);
        return properties;
    }

    private static String jaas(String password) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"billing\" password="
                + password;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    security.protocol       | TLS                  | PLAINTEXT
                    security.protocol       | ${PROTOCOL}          | environment variable
                    ssl.truststore.location | ${trust.store}       | environment variable
                    bootstrap.servers       | localhost            | host:port
                    bootstrap.servers       | ${KAFKA}:9092        | host:port
                    bootstrap.servers       | one:9092,two:65536   | host:port
                    bootstrap.servers       | one:99999999999      | host:port
                    send.buffer.bytes       | many                 | number
                    sasl.login.class        | no.such.Login        | could not be found
                    """)
    void client_properties_that_no_client_takes_are_refused(String property, String value, String fix) {
        NeliBuilder builder = builder().kafka(client(property, value));
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(builder::build)
                .withMessageContainingAll(property, value, fix);
    }

    @ParameterizedTest
    @CsvSource({"'\"hid${den}', JAAS config", "'\"${KAFKA_PASSWORD}\";', '${KAFKA_PASSWORD}'"})
    void a_password_that_cannot_be_one_is_refused_without_the_rest_of_its_property(String password, String shown) {
        NeliBuilder builder = builder().kafka(client("sasl.jaas.config", jaas(password)));
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(builder::build)
                .withMessageContaining(shown)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("hid", "username"));
    }

    /** Or what is contained in no property. */
    @Test
    void what_may_be_there_later_is_no_reason_to_refuse_client_properties() {
        Map<String, Object> provided = client("config.providers", "file");
        provided.put("security.protocol", "${file:/no/such/file:protocol}");
        assertAccepted(builder -> builder.kafka(provided));
        assertAccepted(builder -> builder.kafka(client("bootstrap.servers", List.of("no-such-host.invalid:9092"))));
        assertAccepted(builder -> builder.kafka(client("bootstrap.servers", "[::1]:9092, SSL://localhost:9092")));
        assertAccepted(builder -> builder.kafka(client("ssl.truststore.location", "/no/such/file")));
        assertAccepted(builder -> builder.kafka(client("sasl.jaas.config", jaas("\"a${b}\";"))));
    }

    @Test
    void what_no_client_reads_may_be_a_placeholder() {
        assertAccepted(builder -> builder.kafka(client("transactional.id", "${TRANSACTIONS}")));
        assertAccepted(builder -> builder.kafka(client("client.id", "${HOSTNAME}")));
        assertAccepted(builder -> builder.kafka(client("schema.registry.url", "${REGISTRY}")));
        Map<String, Object> local = client("sasl.jaas.config", jaas("\"${KAFKA_PASSWORD}\";"));
        local.put("ssl.truststore.password", "${TRUSTSTORE_PASSWORD}");
        local.put("security.protocol", "PLAINTEXT");
        assertAccepted(builder -> builder.kafka(local));
    }

    /** As a file of properties keeps it at the end of a line. */
    @Test
    void a_blank_after_the_protocol_hides_no_placeholder() {
        Map<String, Object> secured = client("security.protocol", "SASL_SSL ");
        secured.put("ssl.truststore.password", "${TRUSTSTORE_PASSWORD}");
        NeliBuilder builder = builder().kafka(secured);
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("${TRUSTSTORE_PASSWORD}");
    }

    /** As on a thread of the common pool in an executable jar. */
    @Test
    void a_context_class_loader_that_does_not_know_kafka_is_no_hindrance() {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertAccepted(builder -> {});
            assertThat(caller.getContextClassLoader()).isSameAs(ClassLoader.getPlatformClassLoader());
        } finally {
            caller.setContextClassLoader(before);
        }
    }

    @Test
    void metadata_is_short_and_its_keys_are_plain() {
        assertAccepted(builder -> builder.metadata(Map.of("url", "http://me:8080", "a.b_c-9", "")));
        assertAccepted(builder -> builder.metadata(Map.of("k", "é".repeat(127) + "e")));
        assertRefused(
                builder -> builder.metadata(Map.of("k", "é".repeat(128))), "neli.metadata", "{k=é", "at most 256");
        for (String key : List.of("", "a b", "ü")) {
            assertRefused(builder -> builder.metadata(Map.of(key, "v")), "neli.metadata", key, "letters, digits");
        }
        Map<String, String> unset = new HashMap<>();
        unset.put("url", null);
        assertRefused(builder -> builder.metadata(unset), "neli.metadata.url", "null", "leave it out");
    }

    @Test
    void names_are_not_too_long_and_that_of_a_member_is_printable() {
        String shorter = "choose a shorter one";
        assertRefused(builder -> builder.groupId("x".repeat(250)), "neli.group-id", "xxx", shorter);
        assertRefused(builder -> builder.groupId("é".repeat(125)), "neli.group-id", "ééé", shorter);
        assertRefused(builder -> builder.topic("x".repeat(245)), "neli.topic.name", "xxx", "letters, digits");
        assertRefused(builder -> builder.name("x".repeat(250)), "neli.name", "xxx", shorter);
        assertRefused(builder -> builder.name("a\u0000b"), "neli.name", "a", "printable");
        assertRefused(builder -> builder.name("pod \uD83D"), "neli.name", "pod", "surrogate pair");
        assertAccepted(builder -> builder.name("pod-1, rack ü \uD83D\uDE00"));
    }

    @Test
    void a_group_id_that_is_no_name_for_a_topic_needs_a_topic_of_its_own() {
        assertRefused(
                builder -> builder.groupId("billing team"),
                "neli.group-id",
                "billing team': the topic 'billing team.neli', which is named after it, would not be legal",
                "or set neli.topic.name too");
        assertRefused(builder -> builder.groupId("x".repeat(240)), "neli.group-id", "xxx", "at most 239");
        assertAccepted(builder -> builder.groupId("billing team").topic("billing"));
        assertAccepted(builder -> builder.groupId("x".repeat(249)).topic("x".repeat(244)));
    }

    @Test
    void a_short_lease_needs_short_heartbeats() {
        assertAccepted(
                builder -> builder.heartbeatInterval(Duration.ofMillis(5)).leaseDuration(Duration.ofMillis(20)));
    }

    @Test
    void roles_have_names_of_their_own() {
        assertRefused(builder -> builder.roles("a", ""), "neli.roles", "", "give the role a name");
        assertRefused(builder -> builder.roles("a", " \t"), "neli.roles", " \t", "give the role a name");
        assertRefused(builder -> builder.roles(Arrays.asList("a", null)), "neli.roles", "null", "give the role a name");
        assertRefused(builder -> builder.roles("a\nb"), "neli.roles", "a\nb", "printable");
        assertRefused(builder -> builder.roles("a", "b", "a"), "neli.roles", "a", "remove one of them");
        assertAccepted(builder -> builder.roles());
        assertAccepted(builder -> builder.roles("default", "invoices", "Mahnläufe, Rückläufer"));
        assertRefused(
                builder -> builder.roles("invoices", "default"), "neli.roles", "[invoices, default]", "list it first");
        assertAccepted(builder -> builder.partitions(2).roles("invoices", "default"));
    }

    @Test
    void a_partitions_own_name_is_not_listed() {
        assertRefused(builder -> builder.roles("partition-0"), "neli.roles", "partition-0", "choose another");
        assertRefused(builder -> builder.roles("a", "partition-7"), "neli.roles", "partition-7", "choose another");
        assertRefused(
                builder -> builder.partitions(4).roles("a", "partition-3"),
                "neli.roles",
                "partition-3",
                "the partition itself");
        assertAccepted(builder -> builder.partitions(4).roles("partition-4", "partition-03"));
    }

    @Test
    void there_are_at_most_ten_thousand_roles() {
        List<String> most =
                IntStream.range(0, 10_000).mapToObj(number -> "role " + number).toList();
        assertAccepted(builder -> builder.roles(most));
        List<String> tooMany = new ArrayList<>(most);
        tooMany.add("one more");
        assertRefused(
                builder -> builder.partitions(1).roles(tooMany), "neli.roles", "a list of 10001", "at most 10000");
    }

    @Test
    void a_warning_of_long_work_comes_before_its_limit() {
        assertRefused(
                builder -> builder.workLimit(Duration.ofSeconds(5)).workWarnAfter(Duration.ofSeconds(5)),
                "neli.work.warn-after",
                "5s",
                "neli.work.limit, which is '5s'");
        assertAccepted(
                builder -> builder.workWarnAfter(Duration.ofMillis(1)).workLimit(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void the_logs_of_a_quorum_have_one_replica_each() {
        assertAccepted(builder -> builder.quorum(1).replicationFactor(3));
        assertRefused(
                builder -> builder.quorum(3).replicationFactor(3),
                "neli.topic.replication-factor",
                "3': neli.quorum is '3'",
                "leave it out, or set neli.quorum to 1");
    }
}
