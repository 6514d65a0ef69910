package io.neli.spring;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.neli.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * A run of a {@link LeaderOnly#runs() job}.
 *
 * @param dueAt when it was due: the same for a repetition, so that it serves as the key under which the work is stored
 * @param repeated whether a run of this time was begun before, and is not known to have ended
 * @param leadership the term it runs in
 */
public record ScheduledRun(Instant dueAt, boolean repeated, Leadership leadership) {

    private static final ThreadLocal<@Nullable ScheduledRun> CURRENT = new ThreadLocal<>();

    /** The run that the calling thread is doing; empty outside of such a method. */
    public static Optional<ScheduledRun> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Makes this the {@linkplain #current() current} run while the task is called: also for tests of a method that asks
     * for it.
     */
    public <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
        ScheduledRun outer = CURRENT.get();
        CURRENT.set(this);
        try {
            return task.call();
        } finally {
            CURRENT.set(outer);
        }
    }
}
