package io.neli.internal.member;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongPredicate;

import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;

import static java.time.Duration.ofSeconds;

/** A gate for terms 1 and 2, and what threads that work see of the promises it makes. */
final class ObservedGate {

    static final String ROLE = "default";
    static final MemberClock CLOCK = () -> new Moment(new MonotonicTime(0), 0);
    static final WorkLimit NO_LIMIT =
            new WorkLimit(null, null, ofSeconds(1), WorkLimit.SLOW_LISTENER, "unused", () -> {});
    static final NeliMetrics NO_METRICS = new NeliMetrics() {};

    final WorkGate gate = new WorkGate(CLOCK, callbacks -> {}, this::drained, NO_LIMIT, NO_METRICS);

    /** Both by token. */
    private final AtomicIntegerArray working = new AtomicIntegerArray(3);

    private final AtomicIntegerArray reports = new AtomicIntegerArray(3);
    private final AtomicInteger reportsOfFence = new AtomicInteger();
    private final Runnable afterDrained;
    private volatile boolean lastReportOfFence;
    private volatile String violation = "none";

    /** Runs the rest of what the election does when term 1 has drained. */
    ObservedGate(Runnable afterDrained) {
        this.afterDrained = afterDrained;
    }

    TermLeadership acquired(long token, LongPredicate isLed) {
        TermLeadership term =
                new TermLeadership((partition, asked) -> isLed.test(asked), 0, ROLE, token, Instant.EPOCH);
        gate.acquired(term);
        return term;
    }

    private void drained(long token, boolean fenced) {
        if (working.get((int) token) > 0) {
            violation = "drained while work runs";
        }
        reports.incrementAndGet((int) token);
        lastReportOfFence = fenced;
        if (fenced) {
            reportsOfFence.incrementAndGet();
        }
        if (token == 1) {
            afterDrained.run();
        }
    }

    /** Returns the token of the term in which the calling thread has worked; 0 if it was not admitted. */
    int work() {
        return gate.enter(ROLE).map(this::work).orElse(0);
    }

    private int work(LeaderWork work) {
        int token = (int) work.leadership().token();
        working.incrementAndGet(token);
        if (reports.get(token) > 0) {
            violation = "work begins after its term has drained";
        }
        if (working.get(3 - token) > 0) {
            violation = "work of two terms overlaps";
        }
        working.decrementAndGet(token);
        work.close();
        return token;
    }

    String violation() {
        return violation;
    }

    /** How often it was reported that term 1 has drained. */
    int reports() {
        return reports.get(1);
    }

    int reportsOfFence() {
        return reportsOfFence.get();
    }

    boolean isLastReportOfFence() {
        return lastReportOfFence;
    }
}
