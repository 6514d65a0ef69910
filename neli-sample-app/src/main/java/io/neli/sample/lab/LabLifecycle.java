package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.neli.sample.lab.process.LabDirectory;
import io.neli.sample.lab.process.Reaper;
import io.neli.sample.lab.web.Controls;
import io.neli.sample.lab.web.RefusedControlException;
import io.neli.sample.lab.web.Updates;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Starts the lab when the web server is up already, and ends it while that still is. */
@Component
final class LabLifecycle implements SmartLifecycle, Controls {

    private final LabSettings settings;
    private final LabDirectory directory;
    private final Reaper reaper;
    private final Updates updates;

    private volatile @Nullable RunningLab lab;

    LabLifecycle(LabSettings settings, LabDirectory directory, Reaper reaper, Updates updates) {
        this.settings = settings;
        this.directory = directory;
        this.reaper = reaper;
        this.updates = updates;
    }

    @Override
    public void start() {
        try {
            lab = RunningLab.start(settings, directory, reaper, updates);
        } catch (IOException e) {
            throw new UncheckedIOException("The lab cannot be started: " + e.getMessage(), e);
        }
    }

    /** The pages go first, as their requests would hold up the web server's end. */
    @Override
    @PreDestroy
    public void stop() {
        updates.close();
        RunningLab running = lab;
        lab = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean isRunning() {
        return lab != null;
    }

    @Override
    public void instance(String instance, String action) {
        running().perform(instance, action);
    }

    @Override
    public void broker(String action) {
        running().performOnBroker(action);
    }

    private RunningLab running() {
        RunningLab running = lab;
        if (running == null) {
            throw new RefusedControlException("the lab is not running");
        }
        return running;
    }
}
