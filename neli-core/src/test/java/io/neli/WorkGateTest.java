package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkGateTest {

    private static final long PATIENCE_SECONDS = 30;

    private static final String ROLE = "default";
    private static final WorkLimit NO_LIMIT = new WorkLimit(null, Duration.ofSeconds(1), "unused", () -> {});

    private final List<Long> ended = new CopyOnWriteArrayList<>();
    private final WorkGate gate = new WorkGate(new Interrupts(true), ended::add, NO_LIMIT);
    private final AtomicBoolean valid = new AtomicBoolean(true);
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
        assertThat(Thread.interrupted()).as("interrupt flag left behind").isFalse();
    }

    private TermLeadership term(long token) {
        return new TermLeadership(ROLE, token, Instant.EPOCH, any -> valid.get());
    }

    private TermLeadership open(long token) {
        TermLeadership term = term(token);
        gate.acquired(term);
        gate.open(term);
        return term;
    }

    @Test
    void noWorkBeginsBeforeTheListenersHavePrepared() {
        assertThat(gate.enter(ROLE)).isEmpty();
        TermLeadership term = term(1);
        gate.acquired(term);
        assertThat(gate.enter(ROLE)).isEmpty();

        gate.open(term);

        assertThat(gate.enter(ROLE).map(LeaderWork::leadership)).contains(term);
    }

    @Test
    void listenersThatPrepareTooLateOpenNothing() {
        TermLeadership first = term(1);
        gate.acquired(first);
        gate.fenced(1);
        gate.open(first);
        assertThat(gate.enter(ROLE)).isEmpty();

        gate.acquired(term(2));
        gate.open(first);
        assertThat(gate.enter(ROLE)).isEmpty();
    }

    @Test
    void noWorkBeginsOnceTheMemberCloses() {
        open(1);
        gate.close();
        assertThat(gate.enter(ROLE)).isEmpty();

        open(2);
        assertThat(gate.enter(ROLE)).isEmpty();
    }

    @Test
    void noWorkBeginsWhenTheLeaseIsOver() {
        open(1);
        valid.set(false);
        assertThat(gate.enter(ROLE)).isEmpty();
        assertThat(gate.isCallerInside()).isFalse();
    }

    @Test
    void aHandoverWaitsForWorkAndListeners() {
        open(1);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
        gate.revoked(1);
        gate.listenersDone(1);
        assertThat(ended).isEmpty();

        work.close();
        work.close();

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void aHandoverWaitsForListenersAlsoWithoutWork() {
        open(1);
        gate.enter(ROLE).orElseThrow().close();
        gate.revoked(1);
        assertThat(ended).isEmpty();
        gate.listenersDone(1);
        assertThat(ended).containsExactly(1L);
    }

    @Test
    void aListenerThatWrapsUpAnEarlierTermDoesNotEndTheHandoverOfALaterOne() {
        open(1);
        gate.revoked(1);
        gate.fenced(1);
        open(2);
        gate.revoked(2);

        gate.listenersDone(1);
        assertThat(ended).isEmpty();

        gate.listenersDone(2);
        assertThat(ended).containsExactly(2L);
    }

    @Test
    void aFencedTermIsReportedWhenItsWorkAndItsListenersHaveEnded() {
        open(1);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
        gate.fenced(1);
        gate.listenersDone(1);
        assertThat(ended).isEmpty();

        work.close();

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void aFencedTermWithoutWorkIsReportedWhenItsListenersHaveHeardOfIt() {
        open(1);
        gate.fenced(1);
        assertThat(ended).isEmpty();

        gate.listenersDone(1);

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void aRevokedTermThatIsFencedWaitsForTheListenersOfBoth() {
        open(1);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
        gate.revoked(1);
        gate.fenced(1);
        work.close();
        gate.listenersDone(1); // those of the revocation
        assertThat(ended).isEmpty();

        gate.listenersDone(1);

        assertThat(ended).containsExactly(1L);
    }

    @Test
    void aTermThatIsFencedAfterItHasDrainedIsReportedOnceMore() {
        open(1);
        gate.revoked(1);
        gate.listenersDone(1);
        gate.fenced(1);
        assertThat(ended).containsExactly(1L);

        gate.listenersDone(1);

        assertThat(ended).containsExactly(1L, 1L);
    }

    @Test
    void aTermIsReportedWhateverWorkAnotherTermHas() throws Exception {
        open(1);
        LeaderWork old = other.submit(() -> gate.enter(ROLE).orElseThrow()).get();
        gate.fenced(1);
        open(2);
        LeaderWork young = gate.enter(ROLE).orElseThrow();
        gate.revoked(2);
        gate.listenersDone(2);
        young.close();
        assertThat(ended).containsExactly(2L);

        gate.listenersDone(1);
        old.close();

        assertThat(ended).containsExactly(2L, 1L);
    }

    @Test
    void aFenceInterruptsTheWorkOfItsOwnTermAlone() throws Exception {
        open(1);
        CountDownLatch entered = new CountDownLatch(1);
        Future<Boolean> interrupted = other.submit(() -> {
            LeaderWork old = gate.enter(ROLE).orElseThrow();
            entered.countDown();
            try {
                return new CountDownLatch(1).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return true;
            } finally {
                old.close();
            }
        });
        entered.await();
        gate.revoked(1);
        open(2);
        LeaderWork young = gate.enter(ROLE).orElseThrow();

        gate.fenced(1);

        assertThat(interrupted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        young.close();
    }

    @Test
    void workKnowsTheRoleThatItWasBegunFor() {
        open(1);
        LeaderWork outer = gate.enter("invoices").orElseThrow();
        LeaderWork inner = gate.enter("reports").orElseThrow();

        assertThat(outer.leadership().role()).isEqualTo("invoices");
        assertThat(inner.leadership().role()).isEqualTo("reports");
        assertThat(inner.leadership().token()).isEqualTo(1);
        inner.close();
        outer.close();
    }

    @Test
    void workWithinWorkIsPartOfIt() {
        open(1);
        LeaderWork outer = gate.enter(ROLE).orElseThrow();
        gate.revoked(1);
        gate.listenersDone(1);

        LeaderWork inner = gate.enter(ROLE).orElseThrow();
        assertThat(inner.leadership()).isSameAs(outer.leadership());
        inner.close();
        assertThat(gate.isCallerInside()).isTrue();
        assertThat(ended).isEmpty();

        outer.close();
        assertThat(ended).containsExactly(1L);
        assertThat(gate.isCallerInside()).isFalse();
    }

    @Test
    void noWorkBeginsWithinWorkThatWasFenced() {
        open(1);
        LeaderWork outer = gate.enter(ROLE).orElseThrow();
        gate.fenced(1);
        open(2);
        assertThat(gate.enter(ROLE)).isEmpty();
        outer.close();
        assertThat(gate.enter(ROLE)).isPresent();
    }

    @Test
    void aFenceInterruptsWorkAndItsEndClearsTheFlag() {
        open(1);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
        gate.fenced(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        work.close();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aFenceLeavesTheThreadAloneWhereThatIsAskedFor() {
        WorkGate patient = new WorkGate(new Interrupts(false), ended::add, NO_LIMIT);
        TermLeadership term = term(1);
        patient.acquired(term);
        patient.open(term);
        LeaderWork work = patient.enter(ROLE).orElseThrow();
        patient.fenced(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        work.close();
    }

    @Test
    void anInterruptOfSomebodyElseSurvivesWork() {
        open(1);
        LeaderWork work = gate.enter(ROLE).orElseThrow();
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
                LeaderWork work = gate.enter(ROLE).orElseThrow();
                entered.countDown();
                work.close();
                return Thread.currentThread().isInterrupted();
            });
            entered.await();
            gate.fenced(token);
            assertThat(flagged.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("flag after round %d", token)
                    .isFalse();
        }
    }

    @Test
    void aRevokedTermIsNeverWorkedIn() throws Exception {
        for (long token = 0; token < 2_000; token++) {
            AtomicBoolean tooLate = new AtomicBoolean();
            open(token);
            long current = token;
            CountDownLatch ready = new CountDownLatch(1);
            Future<?> worker = other.submit(() -> {
                ready.countDown();
                Optional<LeaderWork> work = gate.enter(ROLE);
                work.ifPresent(begun -> {
                    tooLate.set(ended.contains(current));
                    begun.close();
                });
            });
            ready.await();
            gate.revoked(current);
            gate.listenersDone(current);
            worker.get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            assertThat(tooLate)
                    .as("work in a term handed over, round %d", token)
                    .isFalse();
            assertThat(ended).as("handed over in round %d", token).containsExactly(token);
            ended.clear();
        }
    }

    @Test
    @SuppressWarnings("try") // the work is only closed
    void theEndOfFencedWorkWithinOtherFencedWorkLeavesThatInterrupted() {
        Interrupts interrupts = new Interrupts(true);
        WorkGate outerGate = new WorkGate(interrupts, token -> {}, NO_LIMIT);
        WorkGate innerGate = new WorkGate(interrupts, token -> {}, NO_LIMIT);
        for (WorkGate each : List.of(outerGate, innerGate)) {
            TermLeadership term = term(1);
            each.acquired(term);
            each.open(term);
        }
        try (LeaderWork outer = outerGate.enter(ROLE).orElseThrow()) {
            try (LeaderWork inner = innerGate.enter(ROLE).orElseThrow()) {
                outerGate.fenced(1);
                innerGate.fenced(1);
                assertThat(Thread.interrupted()).isTrue(); // as the inner work does that is interrupted in a wait
            }
            assertThat(Thread.interrupted()).as("the outer work is interrupted").isTrue();
        }
    }
}
