package io.neli.internal.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientPropertiesTest {

    private static ClientProperties of(Map<String, ?> kafka) {
        return new ClientProperties(Settings.offline(kafka));
    }

    private static List<Map<String, Object>> all(ClientProperties properties) {
        return List.of(properties.reader("log"), properties.group(), properties.writer(), properties.admin());
    }

    @Test
    void what_the_election_needs_is_laid_over_the_applications_properties() {
        Map<String, Object> kafka = new HashMap<>();
        kafka.put("acks", "0");
        kafka.put("auto.offset.reset", "earliest");
        kafka.put("enable.auto.commit", true);
        kafka.put("enable.idempotence", false);
        kafka.put("isolation.level", "read_committed");
        kafka.put("max.block.ms", 60_000);
        kafka.put("max.in.flight.requests.per.connection", 100);
        kafka.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor");
        kafka.put("retries", 0);
        kafka.put("session.timeout.ms", 45_000);
        ClientProperties properties = of(kafka);

        assertThat(properties.reader("log"))
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("enable.auto.commit", false)
                .containsEntry("isolation.level", "read_uncommitted")
                .doesNotContainKey("partition.assignment.strategy");
        assertThat(properties.group())
                .containsEntry("partition.assignment.strategy", NeliAssignor.class.getName())
                .containsEntry("session.timeout.ms", 10_000)
                .containsEntry("group.id", "group.neli");
        assertThat(properties.writer())
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .containsEntry("max.block.ms", 0);
        assertThat(properties.overridden()).containsExactlyElementsOf(new TreeSet<>(kafka.keySet()));
    }

    /** An idle consumer wakes up as often as it would retry. */
    @Test
    void only_the_group_waits_for_a_heartbeat_before_it_tries_again() {
        ClientProperties properties = of(Map.of());

        assertThat(properties.group())
                .containsEntry("heartbeat.interval.ms", 500)
                .containsEntry("retry.backoff.ms", 500L)
                .containsEntry("retry.backoff.max.ms", 500L);
        assertThat(properties.reader("log")).containsEntry("retry.backoff.ms", 20L);
        assertThat(properties.writer()).containsEntry("retry.backoff.ms", 20L);
    }

    @Test
    void what_would_change_the_election_reaches_no_client() {
        Map<String, Object> foreign = Map.of(
                "group.instance.id", "static-1",
                "interceptor.classes", "no.such.Interceptor",
                "transactional.id", "tx",
                "partitioner.class", "no.such.Partitioner",
                "group.remote.assignor", "uniform",
                "share.acknowledgement.mode", "explicit",
                "share.acquire.mode", "record_limit",
                "client.rack", "a");
        ClientProperties properties = of(foreign);
        assertThat(all(properties)).allSatisfy(client -> assertThat(client)
                .doesNotContainKeys(foreign.keySet().toArray(String[]::new)));
        assertThat(properties.overridden()).containsExactlyInAnyOrderElementsOf(foreign.keySet());
    }

    @Test
    void the_reader_belongs_to_no_group_and_no_client_to_the_new_protocol() {
        ClientProperties properties =
                of(Map.of("group.id", "application", "group.protocol", "consumer", "session.timeout.ms", "45000"));
        assertThat(properties.reader("log")).doesNotContainKeys("group.id", "group.protocol");
        assertThat(properties.group())
                .containsEntry("group.id", "group.neli")
                .containsEntry("group.protocol", "classic");
        assertThat(properties.overridden()).containsExactly("group.id", "group.protocol", "session.timeout.ms");
    }

    @Test
    void what_the_election_wants_anyway_is_not_named() {
        assertThat(of(Map.of("acks", "all", "enable.auto.commit", "false", "linger.ms", "0"))
                        .overridden())
                .isEmpty();
        assertThat(of(Map.of()).overridden()).isEmpty();
    }

    @Test
    void the_way_to_the_cluster_reaches_every_client() {
        Object bundle = new Object();
        Map<String, Object> way = Map.of(
                "bootstrap.servers", "localhost:1",
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", "PLAIN",
                "ssl.endpoint.identification.algorithm", "",
                "org.springframework.boot.ssl.SslBundle", bundle,
                "custom.login.setting", 42);
        ClientProperties properties = of(way);
        assertThat(all(properties)).allSatisfy(client -> assertThat(client).containsAllEntriesOf(way));
        assertThat(properties.reader("log").get("org.springframework.boot.ssl.SslBundle"))
                .isSameAs(bundle);
        assertThat(properties.overridden()).isEmpty();
    }

    @Test
    void a_property_reaches_only_clients_that_know_it() {
        ClientProperties properties = of(Map.of("fetch.max.bytes", 1_000_000, "send.buffer.bytes", 4096));
        assertThat(properties.reader("log")).containsEntry("fetch.max.bytes", 1_000_000);
        assertThat(properties.writer()).doesNotContainKey("fetch.max.bytes").containsEntry("send.buffer.bytes", 4096);
        assertThat(properties.admin()).doesNotContainKey("fetch.max.bytes").containsEntry("send.buffer.bytes", 4096);
    }
}
