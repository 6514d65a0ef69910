package io.neli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.internal.kafka.TestBroker;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Records in the leader topic that no member has written, while a leader and a standby read it. */
class BadInputIT {

    private static final MemberId STRANGER = new MemberId("stranger", UUID.randomUUID());
    private static final Duration FORGED_LEASE = Duration.ofSeconds(1);

    private final String group = TestServers.unusedName("bad-input");
    private final TestServers servers = TestServers.get();
    private final String topic = servers.topic(group);
    private final RecordCodec codec = new RecordCodec(group);

    private TestMember leader;
    private TestMember standby;
    private LeaderWatch watch;
    private long token;
    private long term;

    private void start(Consumer<NeliBuilder> settings) {
        leader = TestMember.startLeader(group, "leader", settings);
        standby = TestMember.startStandby(group, "standby", settings);
        watch = new LeaderWatch(leader, standby);
        token = leader.awaitLead().token();
        term = servers.read(topic, codec).stream()
                .filter(record -> record.content() instanceof LogRecord.Claim)
                .mapToLong(LogEntry::offset)
                .max()
                .orElseThrow();
    }

    @AfterEach
    void end() {
        watch.assertNeverTwo();
        watch.close();
        standby.close();
        leader.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private long append(byte[] key, byte[] value, Map<String, byte[]> headers) {
        return servers.append(topic, key, value, headers);
    }

    private long append(LogRecord content) {
        return append(codec.key(), null, codec.encode(content));
    }

    /** A true record with one header replaced, or left out if that is null. */
    private void appendWith(LogRecord content, String header, byte[] value) {
        Map<String, byte[]> headers = new LinkedHashMap<>(codec.encode(content));
        if (value == null) {
            headers.remove(header);
        } else {
            headers.put(header, value);
        }
        append(codec.key(), null, headers);
    }

    private LogRecord.Heartbeat heartbeat(MemberId member, long term) {
        return Records.heartbeat(member, 0, FORGED_LEASE, new GroupConfig(Mode.EXCLUSIVE, 1, "none"), term, true, 0);
    }

    private static LogRecord.Claim claim(MemberId member) {
        return Records.claim(member, 0, FORGED_LEASE, new GroupConfig(Mode.EXCLUSIVE, 1, "none"));
    }

    private static long ignored(TestMember member, String kind) {
        return member.neli.snapshot().ignoredRecords().getOrDefault(kind, 0L);
    }

    private void assertIgnored(String kind, long count) {
        for (TestMember member : List.of(leader, standby)) {
            eventually().untilAsserted(() -> assertThat(ignored(member, kind))
                    .as("%s, ignored by %s", kind, member.name)
                    .isGreaterThanOrEqualTo(count));
        }
    }

    private void assertUndisturbed() {
        long before = ignored(leader, "foreign-key");
        long end = append(bytes("end"), null, Map.of());
        assertIgnored("foreign-key", before + 1); // so both have read past everything that was appended before
        eventually().untilAsserted(() -> assertThat(leader.neli.snapshot().ignoredRecords())
                .isEqualTo(standby.neli.snapshot().ignoredRecords()));
        assertThat(end).isGreaterThan(term);
        assertThat(leader.awaitLead().token()).isEqualTo(token);
        assertThat(leader.events.all()).hasSize(1);
        assertThat(standby.events.all()).isEmpty();
        assertThat(standby.neli.leader().map(Leader::token)).contains(token);
        leader.awaitRunning();
        leader.awaitNoProblem();
    }

    @Test
    void records_of_others_are_counted_and_passed_over() {
        start(LASTING);
        Random random = new Random(42);
        byte[] noise = new byte[512];
        random.nextBytes(noise);

        append(null, null, Map.of());
        append(null, noise, Map.of());
        append(noise, noise, Map.of("neli", noise, "", noise));
        append(bytes("other-group"), null, codec.encode(claim(STRANGER)));
        append(bytes(group + " "), null, codec.encode(heartbeat(STRANGER, term)));
        assertIgnored("foreign-key", 5);

        append(codec.key(), null, Map.of());
        append(codec.key(), noise, Map.of("type", bytes("claim")));
        assertIgnored("not-neli", 2);

        assertUndisturbed();
    }

    @Test
    void while_records_of_a_newer_version_come_nobody_leads_and_the_problem_says_why() {
        start(builder -> {});
        append(codec.key(), null, Map.of("neli", new byte[10_000]));
        appendWith(claim(STRANGER), "neli", bytes("2"));
        appendWith(claim(STRANGER), "type", bytes("usurp"));
        assertIgnored("newer-version", 3);

        assertThat(leader.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.CONFLICT);
        eventually().untilAsserted(() -> {
            appendWith(claim(STRANGER), "neli", bytes("2")); // or it is over before it was seen
            assertProblem(standby, "a newer version");
        });
        awaitLaterTerm();
        standby.awaitNoProblem();
    }

    private static void assertProblem(TestMember member, String words) {
        assertThat(member.neli.snapshot().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(words));
    }

    private void awaitLaterTerm() {
        eventually().until(() -> Stream.of(leader, standby)
                .map(member -> member.neli.leadership())
                .flatMap(Optional::stream)
                .anyMatch(led -> led.token() > token));
    }

    @Test
    void records_that_cannot_be_parsed_are_counted_and_passed_over() {
        start(LASTING);
        byte[] huge = new byte[10_000];
        appendWith(claim(STRANGER), "token", bytes("-1"));
        appendWith(claim(STRANGER), "type", null);
        appendWith(claim(STRANGER), "member", huge);
        appendWith(claim(STRANGER), "member", new byte[0]);
        appendWith(claim(STRANGER), "incarnation", bytes("1-2-3-4-no"));
        appendWith(claim(STRANGER), "sequence", bytes("-1"));
        appendWith(claim(STRANGER), "sequence", bytes("99999999999999999999"));
        appendWith(claim(STRANGER), "lease-ms", bytes("0"));
        appendWith(claim(STRANGER), "lease-ms", bytes("-5"));
        appendWith(claim(STRANGER), "lease-ms", bytes(Long.toString(Long.MAX_VALUE)));
        appendWith(claim(STRANGER), "lease-ms", bytes("NaN"));
        appendWith(claim(STRANGER), "token", bytes("9007199254740992"));
        appendWith(claim(STRANGER), "longest-lease-ms", bytes("0"));
        appendWith(claim(STRANGER), "longest-lease-ms", bytes("1h"));
        appendWith(claim(STRANGER), "group-config", null);
        appendWith(heartbeat(STRANGER, term), "term", bytes("-2"));
        appendWith(heartbeat(STRANGER, term), "leading", bytes("maybe"));
        appendWith(heartbeat(STRANGER, term), "up-to", huge);
        appendWith(Records.resign(STRANGER, term), "term", bytes("1e3"));
        appendWith(Records.bid(STRANGER, term), "term", bytes("-2"));
        assertIgnored("malformed", 20);
        assertUndisturbed();
    }

    @Test
    void headers_that_are_not_ours_are_no_reason_to_ignore_a_record() {
        start(LASTING);
        Map<String, byte[]> headers = new LinkedHashMap<>(codec.encode(heartbeat(STRANGER, term)));
        headers.put("traceparent", new byte[10_000]);
        headers.put("absent", null);
        append(codec.key(), new byte[100], headers);
        assertIgnored("false-heartbeat", 1);
        assertUndisturbed();
    }

    @Test
    void heartbeats_that_grant_nothing_are_counted() {
        start(LASTING);
        append(heartbeat(STRANGER, term));
        assertIgnored("false-heartbeat", 1);

        append(heartbeat(STRANGER, Long.MAX_VALUE));
        assertIgnored("future-heartbeat", 1);

        append(heartbeat(STRANGER, 0));
        assertIgnored("stale-heartbeat", 1);

        append(Records.resign(STRANGER, term));
        append(Records.resign(STRANGER, Long.MAX_VALUE));
        assertIgnored("stale-resign", 2);

        append(Records.bid(STRANGER, term - 1));
        append(Records.bid(STRANGER, Long.MAX_VALUE));
        append(Records.bid(STRANGER, -1));
        assertIgnored("stale-bid", 3);
        assertUndisturbed();
    }

    @Test
    void a_bid_out_of_nowhere_moves_nothing() {
        start(LASTING);
        for (int bids = 0; bids < 20; bids++) {
            append(Records.bid(new MemberId("stranger", UUID.randomUUID()), term));
        }
        assertUndisturbed();
    }

    @Tag("proof")
    @Test
    void many_records_of_others_are_read() {
        start(LASTING);
        for (int records = 0; records < 1_000; records++) {
            append(bytes("chatter"), new byte[100], Map.of());
        }
        assertIgnored("foreign-key", 1_000);
        assertUndisturbed();
    }

    @Test
    void a_forged_claim_is_obeyed_and_then_somebody_leads_again() {
        start(builder -> {});
        append(claim(STRANGER));

        LeaderFenced fenced = leader.awaitEvent(LeaderFenced.class);
        assertThat(fenced).isEqualTo(new LeaderFenced(Neli.DEFAULT_ROLE, 0, token, FenceReason.SUPERSEDED));
        assertLeadsAgain();
    }

    @Tag("proof")
    @Test
    void a_claim_under_other_settings_is_obeyed_and_then_somebody_leads_again() {
        start(builder -> {});
        LogRecord claim = Records.claim(STRANGER, 0, FORGED_LEASE, new GroupConfig(Mode.EXCLUSIVE, 7, "x"));
        append(claim);

        assertThat(leader.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.SUPERSEDED);
        eventually().untilAsserted(() -> {
            append(claim); // or it is over before it was seen
            assertProblem(standby, "neli.partitions, neli.roles or neli.mode differ");
        });
        assertLeadsAgain();
        standby.awaitNoProblem();
    }

    @Tag("proof")
    @Test
    void a_forged_heartbeat_of_a_later_term_is_obeyed_and_then_somebody_leads_again() {
        start(builder -> {});
        long adopted = append(bytes("not ours"), null, Map.of());
        append(heartbeat(STRANGER, adopted));

        assertThat(leader.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.SUPERSEDED);
        assertLeadsAgain();
    }

    @Tag("proof")
    @Test
    void a_forged_claim_in_the_leaders_name_is_obeyed_and_then_somebody_leads_again() {
        start(builder -> {});
        append(claim(new MemberId("leader", UUID.randomUUID())));

        assertThat(leader.awaitEvent(LeaderFenced.class).reason()).isEqualTo(FenceReason.SUPERSEDED);
        assertLeadsAgain();
    }

    private void assertLeadsAgain() {
        awaitLaterTerm();
        assertThat(leader.events.of(LeaderRevoked.class)).isEmpty();
    }

    @Tag(TestServers.KAFKA)
    @Tag("proof")
    @Test
    void transactions_of_others_leave_no_hole_that_stops_a_reader() {
        start(builder -> {});
        leader.close();
        standby.close();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        TestBroker.shared().bootstrapServers(),
                        "transactional.id",
                        group + "-transactions"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, bytes("other"), null));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, bytes("other"), null));
            producer.flush();
            producer.abortTransaction();
        }
        // The log ends with a marker, which is never read as a record.
        leader.neli.start();
        assertThat(leader.awaitLead().token()).isGreaterThan(token);
        standby.neli.start();
        eventually().until(() -> standby.neli.leader().isPresent());
    }

    @Tag("proof")
    @Test
    void another_group_on_the_same_topic_is_no_disturbance() {
        start(LASTING);
        String otherGroup = TestServers.unusedName("other");
        Consumer<NeliBuilder> onSameTopic = TestMember.STEADY.andThen(builder -> builder.topic(topic));
        try (TestMember other = TestMember.startLeader(otherGroup, "other", onSameTopic);
                TestMember otherStandby = TestMember.startStandby(otherGroup, "other-standby", onSameTopic)) {
            assertThat(other.neli.isLeader()).isTrue();
            assertThat(leader.awaitLead().token()).isEqualTo(token);
            assertIgnored("foreign-key", 3);

            other.neli.close();
            otherStandby.awaitLead();

            assertThat(leader.awaitLead().token()).isEqualTo(token);
            assertThat(standby.events.all()).isEmpty();
            eventually().until(() -> leader.neli.snapshot().groupMembers() == 2);
            leader.awaitNoProblem();
        }
    }
}
