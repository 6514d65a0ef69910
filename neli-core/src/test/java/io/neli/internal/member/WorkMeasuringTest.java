package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.NeliMetrics.WorkOutcome;
import io.neli.internal.shell.MemberClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkMeasuringTest {

    private static final String ROLE = "default";

    private final AtomicBoolean valid = new AtomicBoolean(true);
    private final List<String> measured = new ArrayList<>();
    private final WorkGate gate = new WorkGate(
            MemberClock.system(), Runnable::run, (token, fenced) -> {}, ObservedGate.NO_LIMIT, new NeliMetrics() {
                @Override
                public void workEnded(String role, WorkOutcome outcome, Duration duration) {
                    assertThat(duration).isPositive();
                    measured.add(role + " " + outcome);
                }
            });

    private LeaderWork begin(String role) {
        TermLeadership term = new TermLeadership((partition, token) -> valid.get(), 0, ROLE, 1, Instant.EPOCH);
        gate.acquired(term);
        gate.open(term);
        return gate.enter(role).orElseThrow();
    }

    @AfterEach
    void end() {
        assertThat(Thread.interrupted()).as("interrupt flag left behind").isFalse();
    }

    @Test
    void work_that_ends_in_its_term_was_executed() {
        LeaderWork work = begin("invoices");
        assertThat(measured).isEmpty();
        work.close();
        work.close();

        assertThat(measured).containsExactly("invoices " + WorkOutcome.EXECUTED);
    }

    @Test
    void work_that_ends_after_the_term_was_revoked_was_drained() {
        LeaderWork work = begin(ROLE);
        gate.revoked(1);
        gate.listenersDone(1);
        work.close();

        assertThat(measured).containsExactly(ROLE + " " + WorkOutcome.DRAINED);
    }

    @Test
    void work_whose_term_is_fenced_was_interrupted_also_in_a_handover() {
        LeaderWork work = begin(ROLE);
        gate.revoked(1);
        gate.fenced(1);
        work.close();

        assertThat(measured).containsExactly(ROLE + " " + WorkOutcome.INTERRUPTED);
    }

    @Test
    void work_within_work_is_a_part_of_it_unless_it_is_detached() {
        LeaderWork whole = begin(ROLE);
        gate.enter(ROLE).orElseThrow().close();
        LeaderWork part = gate.enter("reports").orElseThrow();
        assertThat(measured).isEmpty();

        part.detach(() -> {});
        whole.close();
        part.close();

        assertThat(measured).containsExactly(ROLE + " " + WorkOutcome.EXECUTED, "reports " + WorkOutcome.EXECUTED);
    }

    @Test
    void work_that_is_turned_away_as_the_lease_is_over_has_not_run() {
        begin(ROLE).close();
        measured.clear();
        valid.set(false);

        assertThat(gate.enter(ROLE)).isEmpty();
        assertThat(measured).isEmpty();
    }
}
