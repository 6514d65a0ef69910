package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** Waits for what was asked, with a limit, and throws what has prevented the answer. */
final class Answers {

    /** Longer than the client keeps asking. */
    private static final Duration LIMIT = ClientProperties.ADMIN_PATIENCE.plusSeconds(1);

    private Answers() {}

    /** What the brokers answer. */
    static <T> T of(@Nullable KafkaFuture<T> future) throws InterruptedException {
        return await(Objects.requireNonNull(future, "not asked for"), LIMIT);
    }

    static <T> T await(Future<T> future, Duration limit) throws InterruptedException {
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s", e);
        }
    }
}
