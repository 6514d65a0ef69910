package io.neli.spring;

import org.springframework.context.Lifecycle;

/** A bean that runs from its start to its stop. */
public class Startable implements Lifecycle {

    private volatile boolean running;

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
