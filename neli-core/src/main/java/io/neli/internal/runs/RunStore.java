package io.neli.internal.runs;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.neli.internal.shell.Problem;

/**
 * Stores the records of a group's runs. The last record of each key is kept. Used by one thread, except that another
 * may call {@link #close} once that thread has ended.
 */
public interface RunStore extends AutoCloseable {

    /** Creates what is missing and checks the rest, once. Takes a few seconds at most. */
    void prepare() throws InterruptedException;

    /**
     * Reads all records that any member knows to be written before this call, and maybe more. Takes a few seconds at
     * most.
     *
     * @throws RuntimeException if that fails; the caller may try again
     */
    Map<RunKey, RunRecord> read() throws InterruptedException;

    /**
     * Writes a record. Completes on any thread once no crash of a server can undo the write. If it may have failed,
     * completes exceptionally or throws the exception.
     */
    CompletionStage<?> write(RunKey key, RunRecord record) throws InterruptedException;

    /** Deletes the records of these keys, in the background. Throws no exception. */
    void forget(Collection<RunKey> keys);

    /** Describes a failure for humans. */
    Problem describe(Throwable failure);

    @Override
    void close();

    /** Keeps the records in the given map, which must be thread-safe and which members may share. */
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
