package io.neli.internal.shell;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/** Builds a connection on a new thread, while the election is stepped. Belongs to the thread that creates it. */
final class Connector implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final CompletableFuture<Logs.Connection> result = new CompletableFuture<>();
    private final Thread thread;
    private boolean taken;

    /**
     * @param connect builds the connection; ends when it is interrupted
     * @param done called on the new thread when there is a result
     */
    Connector(String threadName, Callable<Logs.Connection> connect, Runnable done) {
        thread = DaemonThread.of(threadName, () -> {
            try {
                Logs.Connection connection = connect.call();
                if (!result.complete(connection)) {
                    connection.close(); // nobody waits for it any more
                }
            } catch (Throwable e) { // an Error, too, must reach the waiting thread
                result.completeExceptionally(e);
            }
            done.run();
        });
        thread.start();
    }

    boolean isDone() {
        return result.isDone();
    }

    /** The connection, which the caller must close; null while there is none. Throws the failure to connect, if any. */
    Logs.@Nullable Connection take() throws Throwable {
        try {
            Logs.Connection connection = result.getNow(null);
            taken = connection != null;
            return connection;
        } catch (CompletionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Interrupts an attempt that is under way, and closes a connection that was not taken. */
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
