package io.neli.internal.member;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

import io.neli.LeaderWork;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.Terms;

import static java.time.Duration.ofSeconds;

/** A gate for terms 1 and 2. It observes in working threads whether the gate keeps its promises. */
final class ObservedGate {

    static final String ROLE = "default";
    static final WorkLimit NO_LIMIT =
            new WorkLimit(null, null, ofSeconds(1), WorkLimit.SLOW_LISTENER, "unused", () -> {});
    static final MetricsReporter NO_METRICS = new MetricsReporter(List.of());

    final WorkGate gate = new WorkGate(callbacks -> {}, this::drained, NO_LIMIT, NO_METRICS);

    /** Indexed by token, like {@link #reports}. */
    private final AtomicIntegerArray working = new AtomicIntegerArray(3);

    private final AtomicIntegerArray reports = new AtomicIntegerArray(3);
    private final AtomicInteger reportsOfFence = new AtomicInteger();
    private final Runnable afterDrained;
    private volatile boolean lastReportOfFence;
    private volatile String violation = "none";

    /** Runs {@code afterDrained} when term 1 has drained, as the election's next action. */
    ObservedGate(Runnable afterDrained) {
        this.afterDrained = afterDrained;
    }

    static TermLeadership term(long token, BooleanSupplier leads, BooleanSupplier lasts) {
        Terms terms = new Terms() {
            @Override
            public boolean leads(int partition, long asked) {
                return leads.getAsBoolean();
            }

            @Override
            public boolean lasts(int partition, long asked) {
                return lasts.getAsBoolean();
            }
        };
        return new TermLeadership(terms, 0, ROLE, token, Instant.EPOCH);
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

    /** Works, and returns the token of the term; 0 if the thread was not admitted. */
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

    /** How often the gate reported that term 1 has drained. */
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
