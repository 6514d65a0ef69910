package io.neli;

import java.time.Duration;
import java.util.Optional;

import io.neli.kafka.MemberEngine;
import io.neli.kafka.Problem;

/** Waits for a membership to run, for as long as there is hope. */
final class StartCheck {

    private static final long PAUSE_MILLIS = 10;

    private StartCheck() {}

    /** @throws NeliStartException if it does not run within the limit, or has a problem that waiting does not mend */
    static void awaitRunning(Membership membership, Duration limit) {
        long start = System.nanoTime();
        MemberEngine engine = membership.engine();
        while (!membership.isClosing()) {
            boolean running = engine.isRunning();
            Optional<Problem> problem = engine.logProblem();
            boolean over = Duration.ofNanos(System.nanoTime() - start).compareTo(limit) > 0;
            if (problem.filter(now -> !now.passing() || (over && !running)).isPresent()) {
                throw new NeliStartException(problem.get().what(), problem.get().fix());
            }
            if (running) {
                return;
            }
            if (over) {
                throw new NeliStartException(
                        "the brokers have not answered all questions within " + limit.toMillis() + " ms",
                        "check the address, the network and the brokers' logs");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NeliStartException("the start was interrupted", "start again");
        }
    }
}
