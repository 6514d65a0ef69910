package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.internal.shell.MetricsReporter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The end of a term races with its work. The lease lasts throughout, so that only the gate decides: checks of the lease
 * would hide most of its faults.
 */
public class WorkGateEndStress {

    final ObservedGate observed = new ObservedGate(() -> {});
    final WorkGate gate = observed.gate;

    WorkGateEndStress() {
        gate.open(observed.acquired(1, token -> true));
    }

    @JCStressTest
    @State
    @Outcome(id = "none, 1", expect = Expect.ACCEPTABLE, desc = "No promise is broken, and drained is reported once.")
    public static class Revocation extends WorkGateEndStress {

        @Actor
        public void works() {
            observed.work();
        }

        @Actor
        public void revokes() {
            gate.revoked(1);
            gate.listenersDone(1);
        }

        @Arbiter
        public void sees(LI_Result result) {
            result.r1 = observed.violation();
            result.r2 = observed.reports();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "not begun, 1", expect = Expect.ACCEPTABLE, desc = "Nothing had to be waited for.")
    @Outcome(id = "fenced, 0", expect = Expect.ACCEPTABLE, desc = "The work knows of the fence, and is waited for.")
    public static class Fence extends WorkGateEndStress {

        private Optional<LeaderWork> work = Optional.empty();

        @Actor
        public void beginsWork() {
            work = gate.enter(ObservedGate.ROLE);
        }

        @Actor
        public void fences() {
            gate.fenced(1);
            gate.listenersDone(1);
        }

        @Arbiter
        public void sees(LI_Result result) {
            result.r1 = work.map(begun -> ((RunningWork) begun).isFenced() ? "fenced" : "not fenced")
                    .orElse("not begun");
            result.r2 = observed.reports();
            work.ifPresent(LeaderWork::close);
            if (observed.reports() != 1) {
                result.r1 = "reported " + observed.reports() + " times";
            }
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The last work has reported it.")
    public static class LastWork extends WorkGateEndStress {

        private final LeaderWork one = detached();
        private final LeaderWork other = detached();

        public LastWork() {
            gate.revoked(1);
            gate.listenersDone(1);
        }

        private LeaderWork detached() {
            LeaderWork work = gate.enter(ObservedGate.ROLE).orElseThrow();
            work.detach(() -> {});
            return work;
        }

        @Actor
        public void closesOne() {
            one.close();
        }

        @Actor
        public void closesOther() {
            other.close();
        }

        @Arbiter
        public void sees(ZI_Result result) {
            result.r1 = gate.whereWorkRuns().isEmpty();
            result.r2 = observed.reports();
        }
    }

    /** The listeners return from the revocation while the term is being fenced. */
    @JCStressTest
    @State
    @Outcome(id = "1 of 1, of the fence", expect = Expect.ACCEPTABLE, desc = "The fence came first.")
    @Outcome(id = "1 of 2, of the fence", expect = Expect.ACCEPTABLE, desc = "The revoked term had drained.")
    public static class FenceAfterRevocation extends WorkGateEndStress {

        public FenceAfterRevocation() {
            gate.revoked(1);
        }

        @Actor
        public void fences() {
            gate.fenced(1);
        }

        @Actor
        public void listenersReturn() {
            gate.listenersDone(1);
        }

        @Arbiter
        public void sees(LL_Result result) {
            gate.listenersDone(1);
            result.r1 = observed.reportsOfFence() + " of " + observed.reports();
            result.r2 = observed.isLastReportOfFence() ? "of the fence" : "of the revocation";
        }
    }

    /** A part of work is detached, and the callback of a fence ends it. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The fence came before the part.")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The part was measured, so its limit has ended too.")
    public static class FenceOfPart {

        private static final String PART = "part";

        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger measured = new AtomicInteger();
        private final MetricsReporter metrics = new MetricsReporter(List.of(new NeliMetrics() {

            @Override
            public void workEnded(String role, WorkOutcome outcome, Duration duration) {
                if (role.equals(PART)) {
                    measured.incrementAndGet();
                }
            }
        }));
        private final WorkGate gate =
                new WorkGate(Runnable::run, (token, fenced) -> {}, ObservedGate.NO_LIMIT, metrics);
        private Optional<LeaderWork> part = Optional.empty();

        public FenceOfPart() {
            TermLeadership term = ObservedGate.term(1, () -> true, () -> true);
            gate.acquired(term);
            gate.open(term);
        }

        @Actor
        public void detaches() {
            gate.enter(ObservedGate.ROLE).ifPresent(whole -> {
                part = gate.enter(PART);
                part.ifPresent(work -> {
                    begun.incrementAndGet();
                    work.detach(work::close);
                });
                whole.close();
            });
        }

        @Actor
        public void fences() {
            gate.fenced(1);
        }

        @Arbiter
        public void sees(II_Result result) {
            part.ifPresent(LeaderWork::close); // the fence may have come before all work
            result.r1 = begun.get();
            result.r2 = measured.get();
        }
    }
}
