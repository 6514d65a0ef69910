package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;

import io.neli.bench.faults.FaultSuite.Attack;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Runs each fault once. The long run is {@code bench/faults}; docs/fault-suite.md says what it has found. */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "signals, and clocks of several processes that are compared")
class FaultSuiteIT {

    private static final long SEED = 1;

    /** Seeds that once found a bug. */
    private static final List<Long> REGRESSIONS = List.of(1L, 163L);

    private static final int MORE_FREEZES = 3;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SPLIT")
    void no_fault_makes_two_lead_or_ends_the_election(Arrangement arrangement) {
        List<Attack> regressions = REGRESSIONS.stream()
                .map(seed -> new Attack(seed, Schedule.of(arrangement, seed)))
                .toList();
        check(arrangement, regressions);
    }

    @Test
    @Needs(Program.IPTABLES)
    void no_two_lead_while_brokers_are_separated_and_members_reach_them() {
        assumeThat(Firewall.isPossible()).as("root").isTrue();
        // In this fault, the leader is not on the side of the replaced log.
        Fault fault = new Fault(FaultKind.LOG_REPLACED, FaultKind.Target.STANDBY, 1, 0, 0);
        check(Arrangement.SPLIT, List.of(new Attack(SEED, List.of(fault))));
    }

    private static void check(Arrangement arrangement, List<Attack> more) {
        List<Attack> attacks = new ArrayList<>();
        Schedule.ofEachKind(arrangement, SEED).forEach(fault -> attacks.add(new Attack(SEED, List.of(fault))));
        attacks.addAll(more);
        List<Outcome> outcomes = new ArrayList<>();
        try (FaultSuite suite = new FaultSuite(arrangement, outcomes::add)) {
            for (int done = 0; done < attacks.size(); ) {
                done += suite.round(attacks.subList(done, attacks.size()));
            }
            // On a slow machine, the leader's lease may have ended before the freeze.
            for (int again = 0; again < MORE_FREEZES && staleWrites(outcomes) == 0; again++) {
                suite.round(
                        attacks.stream().filter(FaultSuiteIT::freezes).limit(1).toList());
            }
        }
        outcomes.forEach(outcome -> System.out.println(Summary.line(outcome)));
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome.violations()).as(outcome.text()).isEmpty());
        assertThat(outcomes.stream().mapToLong(Outcome::bumps).sum()).isPositive();
        assertThat(staleWrites(outcomes))
                .as("stale writes, which a frozen leader has made")
                .isPositive();
    }

    private static boolean freezes(Attack attack) {
        return attack.faults().get(0).kind() == FaultKind.MEMBER_FROZEN;
    }

    private static long staleWrites(List<Outcome> outcomes) {
        return outcomes.stream().mapToLong(Outcome::staleWrites).sum();
    }
}
