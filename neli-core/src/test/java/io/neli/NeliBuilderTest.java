package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NeliBuilderTest {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static NeliBuilder builder() {
        return Neli.builder()
                .kafka(Map.of("bootstrap.servers", "localhost:9092"))
                .groupId("billing");
    }

    private static void assertRefused(
            NeliBuilder builder, Consumer<NeliBuilder> setting, String property, String value, String fix) {
        setting.accept(builder);
        assertThatExceptionOfType(NeliException.class)
                .isThrownBy(builder::build)
                .withMessageStartingWith(property + " is '" + value)
                .withMessageContaining(fix);
    }

    private static void assertRefused(Consumer<NeliBuilder> setting, String property, String value, String fix) {
        assertRefused(builder(), setting, property, value, fix);
    }

    private static <T> void assertRefused(
            BiConsumer<NeliBuilder, T> setting, T value, String property, String shown, String fix) {
        assertRefused(builder -> setting.accept(builder, value), property, shown, fix);
    }

    private static <T> void assertAccepted(BiConsumer<NeliBuilder, T> setting, T value) {
        assertAccepted(builder -> setting.accept(builder, value));
    }

    private static void assertAccepted(Consumer<NeliBuilder> setting) {
        NeliBuilder builder = builder();
        setting.accept(builder);
        assertThat(builder.build().snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
    }

    @Test
    void a_group_id_and_an_address_are_enough() {
        NeliSnapshot snapshot = builder().build().snapshot();
        assertThat(snapshot.groupId()).isEqualTo("billing");
        assertThat(snapshot.topic()).isEqualTo("billing.neli");
        assertThat(snapshot.name()).contains("_" + ProcessHandle.current().pid() + "_");
    }

    @Test
    void a_group_id_is_needed() {
        NeliBuilder none = Neli.builder().kafka(Map.of("bootstrap.servers", "localhost:9092"));
        assertRefused(none, nothing -> {}, "neli.group-id", "null", "name the group");
        assertRefused(NeliBuilder::groupId, "", "neli.group-id", "", "name the group");
        assertRefused(NeliBuilder::groupId, "  ", "neli.group-id", "  ", "name the group");
    }

    @Test
    void metadata_is_short_and_its_keys_are_plain() {
        assertAccepted(NeliBuilder::metadata, Map.of("url", "http://me:8080", "a.b_c-9", ""));
        assertAccepted(NeliBuilder::metadata, Map.of("k", "é".repeat(127) + "e"));
        assertRefused(NeliBuilder::metadata, Map.of("k", "é".repeat(128)), "neli.metadata", "{k=é", "at most 256");
        for (String key : List.of("", "a b", "ü")) {
            assertRefused(NeliBuilder::metadata, Map.of(key, "v"), "neli.metadata", key, "letters, digits");
        }
        Map<String, String> unset = new HashMap<>();
        unset.put("url", null);
        assertRefused(NeliBuilder::metadata, unset, "neli.metadata.url", "null", "leave it out");
    }

    @Test
    void a_group_id_is_printable_and_not_too_long() {
        assertRefused(NeliBuilder::groupId, "a\nb", "neli.group-id", "a\nb", "printable");
        assertRefused(NeliBuilder::groupId, "x".repeat(250), "neli.group-id", "xxx", "choose a shorter one");
        assertRefused(NeliBuilder::groupId, "é".repeat(125), "neli.group-id", "ééé", "choose a shorter one");
    }

    @Test
    void a_group_id_that_is_no_name_for_a_topic_needs_a_topic_of_its_own() {
        assertRefused(
                NeliBuilder::groupId,
                "billing team",
                "neli.group-id",
                "billing team': the topic 'billing team.neli', which is named after it, would not be legal",
                "or set neli.topic.name too");
        assertRefused(NeliBuilder::groupId, "x".repeat(240), "neli.group-id", "xxx", "at most 239");
        assertAccepted(builder -> builder.groupId("billing team").topic("billing"));
        assertAccepted(builder -> builder.groupId("x".repeat(249)).topic("x".repeat(244)));
    }

    @Test
    void a_topic_has_a_legal_name() {
        for (String illegal : new String[] {"", ".", "..", "a/b", "a b", "ä", "x".repeat(245)}) {
            assertRefused(NeliBuilder::topic, illegal, "neli.topic.name", illegal, "letters, digits");
        }
    }

    @Test
    void a_name_is_printable_and_not_too_long() {
        assertRefused(NeliBuilder::name, "", "neli.name", "", "leave the setting out");
        assertRefused(NeliBuilder::name, " \t", "neli.name", " \t", "leave the setting out");
        assertRefused(NeliBuilder::name, "a\u0000b", "neli.name", "a", "printable");
        assertRefused(NeliBuilder::name, "x".repeat(250), "neli.name", "xxx", "choose a shorter one");
        assertRefused(NeliBuilder::name, "pod \uD83D", "neli.name", "pod", "surrogate pair");
        assertAccepted(NeliBuilder::name, "pod-1, rack ü \uD83D\uDE00");
    }

    @Test
    void an_address_is_needed() {
        assertRefused(NeliBuilder::kafka, Map.of(), "neli.kafka.bootstrap-servers", "null", "host:port");
        assertRefused(
                NeliBuilder::kafka, Map.of("bootstrap.servers", " "), "neli.kafka.bootstrap-servers", " ", "host:port");
        assertRefused(
                NeliBuilder::kafka,
                Map.of("bootstrap.servers", List.of()),
                "neli.kafka.bootstrap-servers",
                "",
                "host:port");
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", null);
        assertRefused(NeliBuilder::kafka, properties, "neli.kafka.bootstrap-servers", "null", "host:port");
    }

    @Test
    void a_property_without_value_is_as_good_as_none() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", "localhost:9092");
        properties.put("ssl.truststore.location", null);
        assertAccepted(NeliBuilder::kafka, properties);
    }

    @Test
    void a_lease_lasts_for_four_heartbeats() {
        assertRefused(
                NeliBuilder::leaseDuration,
                Duration.ofMillis(1900),
                "neli.lease-duration",
                "1900ms",
                "raise the lease to 2s, or lower the interval to 475ms");
        assertRefused(
                NeliBuilder::leaseDuration,
                Duration.ofMillis(1),
                "neli.lease-duration",
                "1ms",
                "raise the lease to 2s or more");
        assertAccepted(NeliBuilder::leaseDuration, Duration.ofSeconds(2));
        assertRefused(NeliBuilder::leaseDuration, Duration.ofMillis(-1), "neli.lease-duration", "-1ms", "raise");
        assertRefused(NeliBuilder::leaseDuration, Duration.ZERO, "neli.lease-duration", "0s", "raise");
    }

    @Test
    void timing_has_bounds() {
        assertRefused(NeliBuilder::heartbeatInterval, Duration.ZERO, "neli.heartbeat-interval", "0s", "use 5ms to");
        assertRefused(
                NeliBuilder::heartbeatInterval, Duration.ofMillis(-3), "neli.heartbeat-interval", "-3ms", "use 5ms to");
        assertRefused(
                NeliBuilder::heartbeatInterval,
                FOREVER,
                "neli.heartbeat-interval",
                "9223372036854775807s",
                "use 5ms to");
        assertRefused(
                NeliBuilder::leaseDuration, FOREVER, "neli.lease-duration", "9223372036854775807s", "at most 600s");
        assertRefused(
                NeliBuilder::handoverTimeout,
                Duration.ofMillis(30),
                "neli.handover-timeout",
                "30ms",
                "use 100ms to 86400s, longer than work usually takes, such as 20s");
        assertRefused(
                NeliBuilder::handoverTimeout, Duration.ofSeconds(-1), "neli.handover-timeout", "-1s", "use 100ms");
        assertRefused(
                NeliBuilder::handoverTimeout, FOREVER, "neli.handover-timeout", "9223372036854775807s", "use 100ms");
        assertAccepted(
                builder -> builder.heartbeatInterval(Duration.ofMillis(5)).leaseDuration(Duration.ofMillis(20)));
    }

    @Test
    void partitions_have_bounds() {
        assertRefused(NeliBuilder::partitions, 0, "neli.partitions", "0", "use 1 to 10000");
        assertRefused(NeliBuilder::partitions, -1, "neli.partitions", "-1", "use 1 to 10000");
        assertRefused(NeliBuilder::partitions, Integer.MAX_VALUE, "neli.partitions", "2147483647", "use 1 to 10000");
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
    void the_limit_of_work_is_not_shorter_than_a_heartbeat() {
        assertRefused(
                NeliBuilder::workLimit,
                Duration.ofMillis(499),
                "neli.work.limit",
                "499ms",
                "neli.heartbeat-interval, which is '500ms'");
        assertRefused(NeliBuilder::workLimit, Duration.ofSeconds(-1), "neli.work.limit", "-1s", "leave it out");
        assertAccepted(NeliBuilder::workLimit, Duration.ofMillis(500));
        assertAccepted(NeliBuilder::workLimit, FOREVER);
    }

    @Test
    void a_warning_of_long_work_comes_before_its_limit() {
        assertRefused(
                builder -> builder.workLimit(Duration.ofSeconds(5)).workWarnAfter(Duration.ofSeconds(5)),
                "neli.work.warn-after",
                "5s",
                "neli.work.limit, which is '5s'");
        assertRefused(NeliBuilder::workWarnAfter, Duration.ZERO, "neli.work.warn-after", "0s", "leave it out");
        assertAccepted(NeliBuilder::workWarnAfter, FOREVER);
        assertAccepted(builder -> builder.workWarnAfter(Duration.ofMillis(1)).workLimit(FOREVER));
    }

    @Test
    void a_start_that_is_to_fail_fast_has_some_time() {
        assertRefused(NeliBuilder::failFast, Duration.ZERO, "neli.fail-fast", "0s", "leave it out");
        assertAccepted(NeliBuilder::failFast, FOREVER);
    }

    @Test
    void the_creation_of_the_topic_has_bounds() {
        assertRefused(NeliBuilder::replicationFactor, 0, "neli.topic.replication-factor", "0", "1 or more");
        assertRefused(NeliBuilder::replicationFactor, 40_000, "neli.topic.replication-factor", "40000", "leave it out");
        assertRefused(NeliBuilder::retention, Duration.ofMinutes(59), "neli.topic.retention", "3540s", "3600s or more");
        assertRefused(NeliBuilder::retention, FOREVER, "neli.topic.retention", "9223372036854775807s", "at most");
    }

    @Test
    void a_quorum_is_one_three_or_five_logs() {
        for (int quorum : List.of(1, 3, 5)) {
            assertAccepted(NeliBuilder::quorum, quorum);
        }
        for (int quorum : List.of(-1, 0, 2, 4, 7)) {
            assertRefused(NeliBuilder::quorum, quorum, "neli.quorum", String.valueOf(quorum), "use 1, or 3 or 5");
        }
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
