package io.neli.internal.shell;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * Builds a connection on a thread of its own, because that may block: the election is stepped meanwhile. Belongs to the
 * thread that starts it.
 */
final class Connector implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final CompletableFuture<Logs.Connection> result = new CompletableFuture<>();
    private final Thread thread;
    private boolean taken;

    /**
     * @param connect ends when it is interrupted
     * @param done called on the new thread when there is a result
     */
    Connector(String threadName, Callable<Logs.Connection> connect, Runnable done) {
        thread = DaemonThread.of(threadName, () -> {
            try {
                Logs.Connection connection = connect.call();
                if (!result.complete(connection)) {
                    connection.close(); // nobody waits for it any more
                }
            } catch (Throwable e) { // also an Error must reach the thread that waits
                result.completeExceptionally(e);
            }
            done.run();
        });
        thread.start();
    }

    boolean isDone() {
        return result.isDone();
    }

    /** The connection, which is the caller's to close, or null while there is none; throws what has prevented it. */
    Logs.@Nullable Connection take() throws Throwable {
        try {
            Logs.Connection connection = result.getNow(null);
            taken = connection != null;
            return connection;
        } catch (CompletionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Ends what is still under way, and closes a connection that was not taken. */
    @Override
    public void close() {
        if (result.cancel(false)) {
            thread.interrupt();
        } else if (!taken && !result.isCompletedExceptionally()) {
            result.join().close();
        }
        DaemonThread.join(thread, CLOSE_LIMIT);
    }
}
