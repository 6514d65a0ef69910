package com.example.billing;

import com.github.kagkarlsson.scheduler.Scheduler;
import io.neli.spring.StartWhenLeading;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

@Component
@StartWhenLeading
class LeaderScheduler implements SmartLifecycle {

    private final Scheduler scheduler;

    LeaderScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void start() {
        scheduler.resume();
        if (!scheduler.getSchedulerState().isStarted()) {
            scheduler.start();
        }
    }

    @Override
    public void stop() {
        scheduler.pause();
    }

    @Override
    public boolean isRunning() {
        return scheduler.getSchedulerState().isStarted()
                && !scheduler.getSchedulerState().isPaused();
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }
}
