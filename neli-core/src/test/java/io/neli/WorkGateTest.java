package io.neli;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkGateTest {

    private static final long PATIENCE_SECONDS = 30;

    private final WorkGate gate = new WorkGate(true);
    private final AtomicBoolean valid = new AtomicBoolean(true);
    private final AtomicInteger drained = new AtomicInteger();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
        assertThat(Thread.interrupted()).as("interrupt flag left behind").isFalse();
    }

    private Leadership term(long token) {
        return new TermLeadership("default", token, Instant.EPOCH, any -> valid.get());
    }

    private Leadership open(long token) {
        Leadership term = term(token);
        gate.acquired(term);
        gate.open(term);
        return term;
    }

    private void revoke(long token) {
        gate.revoked(token, drained::incrementAndGet);
    }

    @Test
    void noWorkBeginsBeforeTheListenersHavePrepared() {
        assertThat(gate.enter()).isEmpty();
        Leadership term = term(1);
        gate.acquired(term);
        assertThat(gate.enter()).isEmpty();

        gate.open(term);

        assertThat(gate.enter().map(LeaderWork::leadership)).contains(term);
    }

    @Test
    void listenersThatPrepareTooLateOpenNothing() {
        Leadership first = term(1);
        gate.acquired(first);
        gate.fenced();
        gate.open(first);
        assertThat(gate.enter()).isEmpty();

        gate.acquired(term(2));
        gate.open(first);
        assertThat(gate.enter()).isEmpty();
    }

    @Test
    void noWorkBeginsOnceTheMemberCloses() {
        open(1);
        gate.close();
        assertThat(gate.enter()).isEmpty();

        open(2);
        assertThat(gate.enter()).isEmpty();
    }

    @Test
    void noWorkBeginsWhenTheLeaseIsOver() {
        open(1);
        valid.set(false);
        assertThat(gate.enter()).isEmpty();
        assertThat(gate.isCallerInside()).isFalse();
    }

    @Test
    void aHandoverWaitsForWorkAndListeners() {
        open(1);
        LeaderWork work = gate.enter().orElseThrow();
        revoke(1);
        gate.listenersDone(1);
        assertThat(drained).hasValue(0);

        work.close();
        work.close();

        assertThat(drained).hasValue(1);
    }

    @Test
    void aHandoverWaitsForListenersAlsoWithoutWork() {
        open(1);
        gate.enter().orElseThrow().close();
        revoke(1);
        assertThat(drained).hasValue(0);
        gate.listenersDone(1);
        assertThat(drained).hasValue(1);
    }

    @Test
    void aListenerThatWrapsUpAnEarlierTermDoesNotEndTheHandoverOfALaterOne() {
        open(1);
        revoke(1);
        gate.fenced();
        open(2);
        revoke(2);

        gate.listenersDone(1);
        assertThat(drained).hasValue(0);

        gate.listenersDone(2);
        assertThat(drained).hasValue(1);
    }

    @Test
    void workWithinWorkIsPartOfIt() {
        open(1);
        LeaderWork outer = gate.enter().orElseThrow();
        revoke(1);
        gate.listenersDone(1);

        LeaderWork inner = gate.enter().orElseThrow();
        assertThat(inner.leadership()).isSameAs(outer.leadership());
        inner.close();
        assertThat(gate.isCallerInside()).isTrue();
        assertThat(drained).hasValue(0);

        outer.close();
        assertThat(drained).hasValue(1);
        assertThat(gate.isCallerInside()).isFalse();
    }

    @Test
    void noWorkBeginsWithinWorkThatWasFenced() {
        open(1);
        LeaderWork outer = gate.enter().orElseThrow();
        gate.fenced();
        open(2);
        assertThat(gate.enter()).isEmpty();
        outer.close();
        assertThat(gate.enter()).isPresent();
    }

    @Test
    void aFenceInterruptsWorkAndItsEndClearsTheFlag() {
        open(1);
        LeaderWork work = gate.enter().orElseThrow();
        gate.fenced();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        work.close();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aFenceLeavesTheThreadAloneWhereThatIsAskedFor() {
        WorkGate patient = new WorkGate(false);
        Leadership term = term(1);
        patient.acquired(term);
        patient.open(term);
        LeaderWork work = patient.enter().orElseThrow();
        patient.fenced();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        work.close();
    }

    @Test
    void anInterruptOfSomebodyElseSurvivesWork() {
        open(1);
        LeaderWork work = gate.enter().orElseThrow();
        Thread.currentThread().interrupt();
        work.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void workThatEndedIsNotInterrupted() throws Exception {
        for (long token = 0; token < 2_000; token++) {
            open(token);
            CountDownLatch entered = new CountDownLatch(1);
            Future<Boolean> flagged = other.submit(() -> {
                LeaderWork work = gate.enter().orElseThrow();
                entered.countDown();
                work.close();
                return Thread.currentThread().isInterrupted();
            });
            entered.await();
            gate.fenced();
            assertThat(flagged.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("flag after round %d", token)
                    .isFalse();
        }
    }

    @Test
    void aRevokedTermIsNeverWorkedIn() throws Exception {
        for (long token = 0; token < 2_000; token++) {
            AtomicBoolean handedOver = new AtomicBoolean();
            AtomicBoolean tooLate = new AtomicBoolean();
            open(token);
            long current = token;
            CountDownLatch ready = new CountDownLatch(1);
            Future<?> worker = other.submit(() -> {
                ready.countDown();
                Optional<LeaderWork> work = gate.enter();
                work.ifPresent(begun -> {
                    tooLate.set(handedOver.get());
                    begun.close();
                });
            });
            ready.await();
            gate.revoked(current, () -> {
                handedOver.set(true);
                drained.incrementAndGet();
            });
            gate.listenersDone(current);
            worker.get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            assertThat(tooLate)
                    .as("work in a term handed over, round %d", token)
                    .isFalse();
            assertThat(drained).as("handed over in round %d", token).hasValue((int) token + 1);
        }
    }
}
