package io.neli.internal.runs;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.neli.internal.shell.Problem;

/**
 * Where the runs of a group's jobs are recorded: the last record of each key is kept. Used by one thread, except that
 * {@link #close} may be called by another when that has ended.
 */
public interface RunStore extends AutoCloseable {

    /** Creates what is missing and checks the rest, once. Takes a few seconds at most. */
    void prepare() throws InterruptedException;

    /**
     * Reads everything that anybody was told is written before this call, and maybe more. Takes a few seconds at most.
     *
     * @throws RuntimeException if that failed; may be tried again
     */
    Map<RunKey, RunRecord> read() throws InterruptedException;

    /**
     * Writes; completes on any thread when no crash of a server can undo it, or exceptionally when it may have failed.
     * Throws nothing.
     */
    CompletionStage<?> write(RunKey key, RunRecord record);

    /** Deletes the records of these keys, in the background. Throws nothing. */
    void forget(Collection<RunKey> keys);

    /** What is wrong, in words for people. */
    Problem describe(Throwable failure);

    @Override
    void close();

    /** In memory, for members that share a map, which is thread-safe, and nothing else. */
    static RunStore inMemory(Map<RunKey, RunRecord> records) {
        return new RunStore() {

            @Override
            public void prepare() {}

            @Override
            public Map<RunKey, RunRecord> read() {
                return Map.copyOf(records);
            }

            @Override
            public CompletionStage<?> write(RunKey key, RunRecord record) {
                records.put(key, record);
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public void forget(Collection<RunKey> keys) {
                records.keySet().removeAll(keys);
            }

            @Override
            public Problem describe(Throwable failure) {
                return new Problem(failure.toString(), "report this", false);
            }

            @Override
            public void close() {}
        };
    }
}
