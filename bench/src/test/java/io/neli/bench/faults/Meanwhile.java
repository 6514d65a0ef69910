package io.neli.bench.faults;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs an action while other faults happen. */
final class Meanwhile {

    private static final long LIMIT_SECONDS = 300;

    private Meanwhile() {}

    /** Begins the action. The returned action waits for its end. */
    static Runnable run(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                        done.complete(null);
                    } catch (RuntimeException | Error e) {
                        done.completeExceptionally(e);
                    }
                },
                "meanwhile");
        thread.setDaemon(true);
        thread.start();
        return () -> done.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }
}
