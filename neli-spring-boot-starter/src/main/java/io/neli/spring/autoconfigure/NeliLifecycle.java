package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the election with the application context, any number of times.
 *
 * <p>It is in the last phase to start and the first to stop, before the web server drains and listener containers stop: while a
 * handover waits for running work, everything that the work needs is still there. {@link #stop()} returns when the handover is
 * over, so that the next phase begins later.
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
