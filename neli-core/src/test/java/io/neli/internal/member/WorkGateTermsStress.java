package io.neli.internal.member;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A term ends. The next one begins as soon as the gate reports that the first has drained, on the reporting thread. */
class WorkGateTermsStress {

    final ObservedGate observed = new ObservedGate(this::begins);
    final WorkGate gate = observed.gate;
    final TermLeadership first = observed.acquired(1, this::isLed);
    volatile long led = 1;

    private boolean isLed(long token) {
        return led == token;
    }

    /** Begins term 2. */
    void begins() {
        led = 2;
        gate.open(observed.acquired(2, this::isLed));
    }

    @JCStressTest
    @State
    @Outcome(
            id = "none, 1, 2",
            expect = Expect.ACCEPTABLE,
            desc = "No promise is broken, and the second term can work.")
    public static class Handover extends WorkGateTermsStress {

        public Handover() {
            gate.open(first);
        }

        @Actor
        public void works() {
            observed.work();
            observed.work();
        }

        @Actor
        public void revokesAndWorks() {
            led = 0;
            gate.revoked(1);
            gate.listenersDone(1);
            observed.work();
        }

        @Arbiter
        public void sees(LII_Result result) {
            result.r2 = observed.reports();
            result.r3 = observed.work();
            result.r1 = observed.violation();
        }
    }

    /** The listeners return from the acquisition while the term is being fenced. */
    @JCStressTest
    @State
    @Outcome(id = "false, 1", expect = Expect.ACCEPTABLE, desc = "The second term waits for its own listeners.")
    public static class LateOpening extends WorkGateTermsStress {

        @Override
        void begins() {
            led = 2;
            observed.acquired(2, token -> true);
        }

        @Actor
        public void opens() {
            gate.open(first);
        }

        @Actor
        public void fences() {
            gate.fenced(1);
            gate.listenersDone(1);
        }

        @Arbiter
        public void sees(ZI_Result result) {
            result.r1 = observed.work() > 0;
            result.r2 = observed.reports();
        }
    }
}
