package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.neli.sample.lab.Report.Write;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.web.RefusedControlException;
import org.jspecify.annotations.Nullable;

/**
 * Freezes the process of one instance, and one that writes the ledger in the middle of a write: when it says that a write
 * has begun it is stopped, and goes on if it turns out that the write was over by then. Confined to the lab's thread.
 */
final class Freezer {

    /** How long to look for the middle of a write; then it is frozen wherever it is. In milliseconds. */
    private static final long LIMIT = 5_000;

    /** After which all is heard that was said before the stop. */
    private static final Duration SETTLED = Duration.ofMillis(50);

    private final String name;
    private final Scene scene;

    private @Nullable Attempt attempt;

    Freezer(String name, Scene scene) {
        this.name = name;
        this.scene = scene;
    }

    /**
     * Freezes it now, or soon.
     *
     * @param inWrite whether to wait for a write
     * @return done on the lab's thread when it is frozen
     */
    CompletableFuture<Void> freeze(ChildProcess process, boolean inWrite) {
        Attempt next = new Attempt(process, inWrite ? scene.clock().now() + LIMIT : 0);
        attempt = next;
        tick();
        return next.result;
    }

    boolean isWaiting() {
        return attempt != null;
    }

    void heard(Write write) {
        Attempt current = attempt;
        if (current == null) {
            return;
        }
        if (current.stoppedAt != null) {
            current.wasOver |= write.phase() != Write.Phase.BEGUN && write.number() == current.number;
        } else if (write.phase() == Write.Phase.BEGUN) {
            current.number = write.number();
            stop(current);
        }
    }

    void tick() {
        Attempt current = attempt;
        if (current != null && current.stoppedAt == null && scene.clock().now() >= current.deadline) {
            stop(current);
        }
    }

    private void stop(Attempt current) {
        current.stoppedAt = scene.clock().now();
        current.wasOver = false;
        try {
            current.process.freeze();
        } catch (IOException e) {
            fail(current, e.getMessage());
            return;
        }
        if (current.deadline == 0) {
            frozen(current, current.stoppedAt);
        } else {
            scene.thread().executeIn(SETTLED, () -> settled(current));
        }
    }

    private void settled(Attempt current) {
        if (attempt != current || current.stoppedAt == null) {
            return; // given up meanwhile
        }
        if (current.wasOver && scene.clock().now() < current.deadline) {
            thaw(current.process);
            current.stoppedAt = null;
        } else {
            frozen(current, current.stoppedAt);
        }
    }

    private void frozen(Attempt current, long at) {
        attempt = null;
        scene.history().accept(new Observation.Done(at, name, MarkKind.FREEZE));
        current.result.complete(null);
    }

    /** If the process is about to be frozen, it will not be. */
    void cancel() {
        Attempt current = attempt;
        if (current != null) {
            if (current.stoppedAt != null) {
                thaw(current.process);
            }
            fail(current, "something else was done with it");
        }
    }

    private void fail(Attempt current, @Nullable String why) {
        attempt = null;
        current.result.completeExceptionally(new RefusedControlException(name + " was not frozen: " + why));
    }

    void thaw(ChildProcess process) {
        try {
            process.thaw();
        } catch (IOException e) {
            // it has ended, which is noticed
        }
    }

    /** One at a time. */
    private static final class Attempt {

        final ChildProcess process;
        final long deadline;
        final CompletableFuture<Void> result = new CompletableFuture<>();

        @Nullable
        Long stoppedAt;

        long number;
        boolean wasOver;

        Attempt(ChildProcess process, long deadline) {
            this.process = process;
            this.deadline = deadline;
        }
    }
}
