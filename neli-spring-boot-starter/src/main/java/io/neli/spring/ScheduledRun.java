package io.neli.spring;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.neli.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * A run of a {@link LeaderOnly#runs() job}.
 *
 * @param dueAt when the run was due; the same for a repetition, so it can be the key under which results are stored
 * @param repeated whether this run was begun before and is not known to have ended
 * @param leadership the term in which it runs
 */
public record ScheduledRun(Instant dueAt, boolean repeated, Leadership leadership) {

    private static final ThreadLocal<@Nullable ScheduledRun> CURRENT = new ThreadLocal<>();

    /** The run that the calling thread executes; empty outside of a job's method. */
    public static Optional<ScheduledRun> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Calls the task with this as the {@linkplain #current() current} run. Tests use it for methods that need one. */
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
