package io.neli.bench.faults;

import io.neli.bench.faults.FaultKind.Target;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FaultTest {

    private static boolean leavesMajority(FaultKind kind, Target target, Arrangement arrangement) {
        return new Fault(kind, target, 1, 0, 0).leavesMajority(arrangement);
    }

    @Test
    void a_fault_of_one_member_leaves_the_logs_to_the_others() {
        assertThat(leavesMajority(FaultKind.ONE_WAY_TO_BROKERS, Target.LEADER, Arrangement.REPLICATED))
                .isTrue();
        assertThat(leavesMajority(FaultKind.MEMBER_KILLED, Target.STANDBY, Arrangement.QUORUM))
                .isTrue();
        assertThat(leavesMajority(FaultKind.LOG_REPLACED, Target.LEADER, Arrangement.SPLIT))
                .isTrue();
    }

    @Test
    void only_a_quorum_can_do_without_a_broker_however_long_and_only_without_one() {
        assertThat(leavesMajority(FaultKind.BROKER_CUT_OFF, Target.LOG_LEADER, Arrangement.QUORUM))
                .isTrue();
        assertThat(leavesMajority(FaultKind.BROKER_CUT_OFF, Target.LOG_LEADER, Arrangement.REPLICATED))
                .isFalse();
        assertThat(leavesMajority(FaultKind.BROKER_KILLED, Target.TWO_BROKERS, Arrangement.QUORUM))
                .isFalse();
        assertThat(leavesMajority(FaultKind.BROKER_SPLIT_OFF, Target.LOG_LEADER, Arrangement.SPLIT))
                .isTrue();
        assertThat(leavesMajority(FaultKind.BROKER_SPLIT_OFF, Target.TWO_LOGS, Arrangement.SPLIT))
                .isFalse();
    }

    @Test
    void only_a_quorum_can_do_without_one_log() {
        assertThat(leavesMajority(FaultKind.TOPIC_DELETED, Target.NOBODY, Arrangement.QUORUM))
                .isTrue();
        assertThat(leavesMajority(FaultKind.TOPIC_DELETED, Target.NOBODY, Arrangement.REPLICATED))
                .isFalse();
        assertThat(leavesMajority(FaultKind.DISK_FULL, Target.LOG_LEADER, Arrangement.REPLICATED))
                .isFalse();
    }
}
