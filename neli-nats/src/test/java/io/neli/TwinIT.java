package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.nats.NatsServers;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class TwinIT {

    private final String group = TestServers.unusedName("twin");

    /** As if a copy of the process, made from a snapshot, had written a record. */
    @Test
    void a_record_in_the_leaders_name_that_it_did_not_send_fences_it_and_it_goes_on_as_another_member() {
        RecordCodec codec = new RecordCodec(group);
        PartitionConfig config = new GroupConfig(Mode.EXCLUSIVE, List.of(Neli.DEFAULT_ROLE), 1).of(0);
        try (TestMember leader = TestMember.startLeader(group, "leader");
                TestMember standby = TestMember.startStandby(group, "standby");
                LeaderWatch watch = new LeaderWatch(leader, standby)) {
            eventually().until(() -> {
                leases().reduce((first, last) -> last).ifPresent(last -> {
                    LogRecord.Claim its = Records.claim(last.member(), Long.MAX_VALUE, Duration.ofSeconds(1), config);
                    TestServers.get().append(group, codec.key(), null, codec.encode(its));
                });
                return leader.events.of(LeaderFenced.class).stream()
                        .anyMatch(fenced -> fenced.reason() == FenceReason.SUPERSEDED);
            });
            leader.awaitProblem("two processes write as one member");
            standby.neli.pause();
            leader.awaitLead();
            assertThat(leases().map(LogRecord::member).distinct()).hasSizeGreaterThan(1);
            standby.neli.resume();
            eventually().until(() -> leader.neli.snapshot().groupMembers() == 2);
            watch.assertNeverTwo();
        }
    }

    private Stream<LogRecord.Leasing> leases() {
        return NatsServers.read(group).stream()
                .map(LogEntry::content)
                .filter(LogRecord.Leasing.class::isInstance)
                .map(LogRecord.Leasing.class::cast)
                .filter(record -> record.member().name().equals("leader"));
    }
}
