package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the election with the application context, any number of times.
 *
 * <p>It is in the last phase to start and the first to stop, before the web server drains and before listener
 * containers stop: whatever running work needs is still there while a handover waits for it. Starting does not wait for
 * Kafka, unless {@code neli.fail-fast} says so; stopping waits for the handover, as {@link Neli#close()} says, because the
 * next phase must not begin before. A context whose refresh fails after the start stops it too.
 */
final class NeliLifecycle implements SmartLifecycle {

    private final Neli neli;
    private volatile boolean running;

    NeliLifecycle(Neli neli) {
        this.neli = neli;
    }

    @Override
    public void start() {
        neli.start();
        running = true;
    }

    @Override
    public void stop() {
        neli.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE;
    }
}
