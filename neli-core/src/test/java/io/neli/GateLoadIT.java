package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Ten thousand calls a second while leadership moves every second. */
@Tag("proof")
class GateLoadIT {

    private static final int CALLS_A_SECOND = 10_000;
    private static final int THREADS_OF_EACH = 2;
    private static final Duration TIME = Duration.ofMinutes(2);
    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(1);

    /** One call in so many takes long enough to be running when leadership moves. */
    private static final int LONG_CALLS = 500;

    private static final Duration LONG = Duration.ofMillis(30);

    private final String group = TestServers.unusedName("load");
    private final NavigableMap<Long, Term> terms = new ConcurrentSkipListMap<>();
    private volatile boolean over;

    /** What ran in one term. */
    private static final class Term {
        final LongAdder calls = new LongAdder();
        final LongAccumulator firstBegin = new LongAccumulator(Math::min, Long.MAX_VALUE);
        final LongAccumulator lastEnd = new LongAccumulator(Math::max, Long.MIN_VALUE);
        final AtomicLong revokedAt = new AtomicLong(Long.MAX_VALUE);
        volatile boolean fenced;
    }

    /** What the gate itself has counted. */
    private static final class Counts implements NeliMetrics {
        final LongAdder ended = new LongAdder();
        final LongAdder skipped = new LongAdder();

        @Override
        public void workEnded(String role, WorkOutcome outcome, Duration duration) {
            ended.increment();
        }

        @Override
        public void workSkipped(String role) {
            skipped.increment();
        }
    }

    /** Calls what only the leader does, again and again. */
    private final class Caller extends Thread {
        private final Neli neli;
        private final long pauseNanos;
        private long ran;
        private long skipped;

        Caller(String name, Neli neli, long pauseNanos) {
            super(name);
            this.neli = neli;
            this.pauseNanos = pauseNanos;
        }

        @Override
        public void run() {
            long next = System.nanoTime();
            for (long call = 0; !over; call++) {
                call(call % LONG_CALLS == 0);
                next += pauseNanos;
                LockSupport.parkNanos(next - System.nanoTime()); // none if it is late
            }
        }

        private void call(boolean takesLong) {
            Optional<LeaderWork> begun = neli.beginWork();
            if (begun.isEmpty()) {
                skipped++;
                return;
            }
            try (LeaderWork work = begun.get()) {
                Term term = term(work.leadership().token());
                long begin = System.nanoTime();
                term.firstBegin.accumulate(begin);
                while (takesLong && System.nanoTime() - begin < LONG.toNanos()) {
                    LockSupport.parkNanos(LONG.toNanos());
                }
                ran++;
                term.calls.increment();
                term.lastEnd.accumulate(System.nanoTime());
            }
        }
    }

    private Term term(long token) {
        return terms.computeIfAbsent(token, its -> new Term());
    }

    private void onEvent(LeaderEvent event) {
        if (event instanceof LeaderRevoked) {
            term(event.token()).revokedAt.set(System.nanoTime());
        } else if (event instanceof LeaderFenced) {
            term(event.token()).fenced = true;
        }
    }

    @Test
    void none_runs_in_two_terms_and_none_is_lost() throws InterruptedException {
        Counts counts = new Counts();
        List<TestMember> members = new ArrayList<>();
        List<Caller> callers = new ArrayList<>();
        int changes;
        try {
            for (String name : List.of("a", "b", "c")) {
                members.add(TestMember.start(
                        group, name, builder -> builder.metrics(counts).listener(this::onEvent)));
            }
            long callersInAll = (long) members.size() * THREADS_OF_EACH;
            long pause = TimeUnit.SECONDS.toNanos(1) * callersInAll / CALLS_A_SECOND;
            for (TestMember member : members) {
                for (int thread = 0; thread < THREADS_OF_EACH; thread++) {
                    callers.add(new Caller("caller-" + member.name + "-" + thread, member.neli, pause));
                }
            }
            long begun = System.nanoTime();
            callers.forEach(Thread::start);
            changes = moveLeadership(members, begun);
            over = true;
            for (Caller caller : callers) {
                caller.join(PATIENCE.toMillis());
                assertThat(caller.isAlive()).as(caller.getName() + " hangs").isFalse();
            }
            report(callers, changes, System.nanoTime() - begun);
        } finally {
            over = true;
            members.forEach(TestMember::close);
        }
        long ran = callers.stream().mapToLong(caller -> caller.ran).sum();
        long skipped = callers.stream().mapToLong(caller -> caller.skipped).sum();
        assertThat(changes).isPositive();
        assertThat(counts.ended.sum()).as("calls that the gate has let in").isEqualTo(ran);
        assertThat(counts.skipped.sum()).as("calls that the gate has skipped").isEqualTo(skipped);
        assertThat(terms.values().stream().mapToLong(term -> term.calls.sum()).sum())
                .isEqualTo(ran);
        checkTerms();
    }

    private int moveLeadership(List<TestMember> members, long begun) {
        int changes = 0;
        for (long next = begun; System.nanoTime() - begun < TIME.toNanos(); next += BETWEEN_CHANGES.toNanos()) {
            TestMember leader = awaitLeader(members);
            eventually().until(() -> {
                if (leader.neli.isLeader()) { // also when it leads again, as no other was in time
                    leader.neli.resign(BETWEEN_CHANGES.dividedBy(2));
                }
                return members.stream().anyMatch(member -> member != leader && member.neli.isLeader());
            });
            changes++;
            LockSupport.parkNanos(next + BETWEEN_CHANGES.toNanos() - System.nanoTime());
        }
        return changes;
    }

    private static TestMember awaitLeader(Collection<TestMember> members) {
        eventually().until(() -> members.stream().anyMatch(member -> member.neli.isLeader()));
        return members.stream()
                .filter(member -> member.neli.isLeader())
                .findFirst()
                .orElse(members.iterator().next());
    }

    /** All work of a term has ended before any of the next one begins, unless it was fenced: then only work was interrupted. */
    private void checkTerms() {
        Map.Entry<Long, Term> earlier = null;
        for (Map.Entry<Long, Term> term : terms.entrySet()) {
            if (earlier != null
                    && !earlier.getValue().fenced
                    && term.getValue().calls.sum() > 0) {
                assertThat(earlier.getValue().lastEnd.get())
                        .as("the last call of term %d, and the first of term %d", earlier.getKey(), term.getKey())
                        .isLessThanOrEqualTo(term.getValue().firstBegin.get());
            }
            if (term.getValue().calls.sum() > 0) {
                earlier = term;
            }
        }
    }

    private void report(List<Caller> callers, int changes, long nanos) {
        long calls = callers.stream()
                .mapToLong(caller -> caller.ran + caller.skipped)
                .sum();
        long longest = terms.values().stream()
                .filter(term -> term.calls.sum() > 0 && term.revokedAt.get() != Long.MAX_VALUE)
                .mapToLong(term -> term.lastEnd.get() - term.revokedAt.get())
                .max()
                .orElse(0);
        System.out.printf(
                "%d calls, %d a second, %d of them gated in; leadership moved %d times, %d terms were fenced;"
                        + " work went on for at most %.1f ms after its term was revoked%n",
                calls,
                calls * TimeUnit.SECONDS.toNanos(1) / nanos,
                callers.stream().mapToLong(caller -> caller.ran).sum(),
                changes,
                terms.values().stream().filter(term -> term.fenced).count(),
                longest / 1e6);
    }
}
