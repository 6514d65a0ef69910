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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.QUICK;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A leader and a standby read records in the leader topic that no member has written. */
class BadInputIT {

    private static final MemberId STRANGER = new MemberId("stranger", UUID.randomUUID());
    private static final Duration FORGED_LEASE = Duration.ofSeconds(1);
    private static final GroupConfig CONFIG = new GroupConfig(Mode.EXCLUSIVE, List.of("default"), 1);

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
        token = leader.awaitLead().token();
        standby = TestMember.startStandby(group, "standby", settings);
        watch = new LeaderWatch(leader, standby);
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

    /** Appends a valid record with one header replaced, or removed if the value is null. */
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
        return Records.heartbeat(member, 0, FORGED_LEASE, CONFIG, term, true, 0);
    }

    private static LogRecord.Claim claim(MemberId member) {
        return Records.claim(member, 0, FORGED_LEASE, CONFIG);
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

    @Test
    void records_that_grant_nothing_are_counted_and_passed_over() {
        start(LASTING);
        byte[] noise = new byte[512];
        new Random(42).nextBytes(noise);
        append(null, null, Map.of());
        append(noise, noise, Map.of("neli", noise, "", noise));
        append(bytes("other-group"), null, codec.encode(claim(STRANGER)));
        append(bytes(group + " "), null, codec.encode(heartbeat(STRANGER, term)));

        append(codec.key(), null, Map.of());
        append(codec.key(), noise, Map.of("type", bytes("claim")));

        appendWith(claim(STRANGER), "type", null);
        appendWith(claim(STRANGER), "member", new byte[10_000]);
        appendWith(claim(STRANGER), "lease-ms", bytes(Long.toString(Long.MAX_VALUE)));
        appendWith(heartbeat(STRANGER, term), "leading", bytes("maybe"));

        append(heartbeat(STRANGER, term));
        Map<String, byte[]> foreignHeaders = new LinkedHashMap<>(codec.encode(heartbeat(STRANGER, term)));
        foreignHeaders.put("traceparent", new byte[10_000]);
        foreignHeaders.put("absent", null);
        append(codec.key(), new byte[100], foreignHeaders);
        append(heartbeat(STRANGER, Long.MAX_VALUE));
        append(heartbeat(STRANGER, 0));
        append(Records.resign(STRANGER, term));
        append(Records.bid(STRANGER, term - 1));
        append(Records.bid(STRANGER, term)); // by an unknown member

        assertIgnored("foreign-key", 4);
        assertIgnored("not-neli", 2);
        assertIgnored("malformed", 4);
        assertIgnored("false-heartbeat", 2);
        assertIgnored("future-heartbeat", 1);
        assertIgnored("stale-heartbeat", 1);
        assertIgnored("stale-resign", 1);
        assertIgnored("stale-bid", 1);
        assertUndisturbed();
    }

    private void assertUndisturbed() {
        long before = ignored(leader, "foreign-key");
        append(bytes("end"), null, Map.of());
        assertIgnored("foreign-key", before + 1); // so both have read everything appended before
        eventually().untilAsserted(() -> assertThat(leader.neli.snapshot().ignoredRecords())
                .isEqualTo(standby.neli.snapshot().ignoredRecords()));
        assertThat(leader.awaitLead().token()).isEqualTo(token);
        assertThat(leader.events.all()).hasSize(1);
        assertThat(standby.events.all()).isEmpty();
        assertThat(standby.neli.leader().map(Leader::token)).contains(token);
        leader.awaitRunning();
        leader.awaitNoProblem();
    }

    @Test
    void a_claim_with_a_much_longer_lease_stops_the_group_for_that_long_and_the_problem_says_so() {
        start(QUICK);
        append(Records.claim(STRANGER, 0, Duration.ofSeconds(4), CONFIG));
        leader.awaitProblem("has granted a lease of PT4S to a member that is silent");
        standby.awaitProblem("has granted a lease of PT4S to a member that is silent");
        awaitLaterTerm();
        leader.awaitNoProblem();
        standby.awaitNoProblem();
    }

    @Test
    void while_records_of_a_newer_version_come_nobody_leads_and_the_problem_says_why() {
        start(QUICK);
        eventually().until(() -> {
            if (leader.neli.isLeader() || standby.neli.isLeader()) {
                appendWith(claim(STRANGER), "neli", bytes("2"));
            }
            return Stream.of(leader, standby)
                    .flatMap(member -> member.events.of(LeaderRevoked.class).stream())
                    .anyMatch(revoked -> revoked.reason() == RevokeReason.CONFLICT);
        });
        eventually().untilAsserted(() -> {
            appendWith(claim(STRANGER), "neli", bytes("2")); // repeated, because the problem may not last long
            assertThat(standby.neli.snapshot().problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("a newer version"));
        });
        awaitLaterTerm();
        standby.awaitNoProblem();
    }

    private void awaitLaterTerm() {
        eventually().until(() -> Stream.of(leader, standby)
                .map(member -> member.neli.leadership())
                .flatMap(Optional::stream)
                .anyMatch(led -> led.token() > token));
    }

    /** As if a copy of the process, made from a snapshot, had written the record. */
    @Test
    void a_record_in_the_leaders_name_that_it_did_not_send_fences_it_and_it_goes_on_as_another_member() {
        start(QUICK);
        eventually().until(() -> {
            leases().filter(record -> record.member().name().equals("leader"))
                    .reduce((first, last) -> last)
                    .ifPresent(last -> append(Records.claim(last.member(), Long.MAX_VALUE, FORGED_LEASE, CONFIG)));
            return leader.events.of(LeaderFenced.class).stream()
                    .anyMatch(fenced -> fenced.reason() == FenceReason.SUPERSEDED);
        });
        leader.awaitProblem("two processes write as one member");
        awaitLaterTerm();
        standby.neli.pause();
        leader.awaitLead();
        assertThat(leases().map(LogRecord::member)
                        .filter(member -> member.name().equals("leader"))
                        .distinct())
                .hasSizeGreaterThan(1);
        standby.neli.resume();
        eventually().until(() -> leader.neli.snapshot().groupMembers() == 2);
    }

    private Stream<LogRecord.Leasing> leases() {
        return servers.read(topic, codec).stream()
                .map(LogEntry::content)
                .filter(LogRecord.Leasing.class::isInstance)
                .map(LogRecord.Leasing.class::cast);
    }
}
