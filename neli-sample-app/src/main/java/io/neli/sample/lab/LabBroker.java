package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.neli.sample.broker.BrokerMain;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.JavaProcesses;
import io.neli.sample.lab.view.LabState.BrokerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker, always at the same ports with the same data. Guarded by the lab. */
final class LabBroker implements ChildProcess.Listener {

    private static final Logger log = LoggerFactory.getLogger(LabBroker.class);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

    private final LongSupplier clock;
    private final Consumer<Observation> observer;
    private final JavaProcesses.Launcher launcher;
    private BrokerState state = BrokerState.DOWN;
    private @Nullable ChildProcess process;

    LabBroker(LongSupplier clock, Consumer<Observation> observer, JavaProcesses.Launcher launcher) {
        this.clock = clock;
        this.observer = observer;
        this.launcher = launcher;
    }

    BrokerState state() {
        return state;
    }

    void start() {
        if (state != BrokerState.DOWN) {
            throw new IllegalStateException("The broker is not down.");
        }
        state = BrokerState.STARTING;
        observe(MarkKind.BROKER_START, clock.getAsLong());
        try {
            process = launcher.launch(this);
        } catch (IOException e) {
            log.error("The broker cannot be started", e);
            exited(-1, clock.getAsLong());
        }
    }

    void stop() {
        if (state != BrokerState.UP) {
            throw new IllegalStateException("The broker is not up.");
        }
        observe(MarkKind.BROKER_STOP, clock.getAsLong());
        var unused = end();
    }

    /** Asks it to stop; returns its process, if there is one. */
    Stream<ChildProcess> end() {
        ChildProcess running = process;
        if (running == null) {
            return Stream.empty();
        }
        state = BrokerState.STOPPING;
        running.terminate(STOP_LIMIT);
        return Stream.of(running);
    }

    @Override
    public void printed(String line, long at) {
        if (line.equals(BrokerMain.UP) && state == BrokerState.STARTING) {
            state = BrokerState.UP;
            observe(MarkKind.BROKER_UP, at);
        }
    }

    @Override
    public void exited(int code, long at) {
        if (state != BrokerState.STOPPING) {
            log.error("The broker has ended with code {}; see its log", code);
        }
        process = null;
        state = BrokerState.DOWN;
        observer.accept(new Observation.Exited(at, null, code));
    }

    private void observe(MarkKind kind, long at) {
        observer.accept(new Observation.Occurred(at, null, kind));
    }
}
