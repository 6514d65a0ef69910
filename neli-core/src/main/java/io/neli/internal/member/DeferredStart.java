package io.neli.internal.member;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a start when the previous start of the same election has ended: its handover, its listeners and all its work, even if
 * that ignores its interrupt. So the work of two terms does not overlap across a restart either. Thread-safe.
 */
final class DeferredStart {

    private static final Logger log = LoggerFactory.getLogger(DeferredStart.class);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final String groupId;
    private final Runnable begin;
    private final Runnable abort;
    private final Thread thread;
    private final AtomicBoolean decided = new AtomicBoolean();
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private volatile @Nullable Member previous;

    /**
     * A start that has not begun.
     *
     * @param previous the start before it; null if there was none
     * @param begin called once, unless it is closed before
     * @param abort called after {@code begin} if the close did not wait for its end
     */
    DeferredStart(MemberSettings settings, @Nullable Member previous, Runnable begin, Runnable abort) {
        this.previous = previous;
        this.groupId = settings.groupId();
        this.begin = begin;
        this.abort = abort;
        this.thread = new Thread(this::beginAfterPrevious, settings.threadName("start"));
        thread.setDaemon(true);
    }

    /** Begins at once if the previous start has ended, otherwise later, on a thread of its own. */
    void start() {
        if (hasPreviousEnded()) {
            beginNow();
        } else {
            thread.start();
        }
    }

    private void beginAfterPrevious() {
        Member before = previous;
        if (before == null) {
            return;
        }
        try {
            before.awaitClosed();
            if (!before.hasEnded()) {
                problem().ifPresent(problem -> log.warn("Group {}: {}", groupId, problem.text()));
                before.awaitEnd();
            }
            beginNow();
        } catch (InterruptedException e) {
            log.debug("Group {}: closed before the previous start had ended", groupId);
        }
    }

    private void beginNow() {
        if (!decided.getAndSet(true)) {
            previous = null;
            try {
                begin.run();
            } finally { // what has begun half-way must be ended too
                if (!begun.complete(true)) {
                    abort.run();
                }
            }
        }
    }

    /** What it waits for. */
    Optional<Problem> problem() {
        return Optional.ofNullable(previous)
                .map(before -> new Problem(
                        "the previous start of this election has not ended: "
                                + before.running().orElse("it is closing"),
                        "this start takes part when it has; let work and listeners end when they are interrupted",
                        true));
    }

    /** Returns whether it begins within the limit; false at once if it is closed. */
    boolean await(Duration limit) throws InterruptedException {
        try {
            return begun.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns whether it has begun, so that the caller has to end it. If it has not, it does not begin any more; waits until the
     * previous start has closed. If it is beginning for longer than that can be waited for, it is aborted when it has begun.
     */
    boolean close() throws InterruptedException {
        if (decided.getAndSet(true)) {
            return awaitBegun();
        }
        begun.complete(false);
        Member before = previous;
        if (before != null) {
            before.awaitClosed();
            thread.interrupt();
            thread.join(CLOSE_LIMIT.toMillis());
        }
        return false;
    }

    private boolean awaitBegun() {
        try {
            if (await(CLOSE_LIMIT)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !begun.complete(false);
    }

    boolean hasPreviousEnded() {
        Member before = previous;
        return before == null || before.hasEnded();
    }

    void awaitPreviousEnd() throws InterruptedException {
        Member before = previous;
        if (before != null) {
            before.awaitEnd();
        }
    }

    /** Whether the calling thread does work, or runs a listener, of an earlier start. */
    boolean isCallerInsidePrevious() {
        Member before = previous;
        return before != null && before.isCallerInside();
    }

    /** The work and listeners of earlier starts that still run. */
    Optional<String> previousRunning() {
        return Optional.ofNullable(previous).flatMap(Member::running);
    }
}
