package io.neli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what a test does in its own code, and says what has not ended in time. */
record BoundedWait(Duration limit) {

    void await(CompletableFuture<Void> end, String what) {
        try {
            end.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(what + " still runs after " + limit.toMillis()
                    + " ms: let it end before, or give it more time by FakeNeliBuilder.handoverTimeout()");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + what + " was running", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
