package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.neli.harness.BrokerMain;
import io.neli.harness.ChildProcess;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.JavaProcesses;
import io.neli.sample.lab.process.ProcessListener;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.BrokerState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker, which keeps its ports and data when it restarts. Guarded by the lab. */
final class LabBroker implements ProcessListener {

    private static final Logger log = LoggerFactory.getLogger(LabBroker.class);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);

    /** How long the lab, and its page, wait for a signal to take effect. */
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(2);

    private static final Map<String, MarkKind> ACTIONS = Map.of(
            "kill", MarkKind.KILL,
            "freeze", MarkKind.FREEZE,
            "thaw", MarkKind.THAW,
            "stop", MarkKind.BROKER_STOP,
            "start", MarkKind.BROKER_START);

    private final String name;
    private final String address;
    private final LongSupplier clock;
    private final Consumer<Observation> observer;
    private final JavaProcesses.Launcher launcher;
    private BrokerState state = BrokerState.DOWN;
    private @Nullable ChildProcess process;

    LabBroker(
            String name,
            String address,
            LongSupplier clock,
            Consumer<Observation> observer,
            JavaProcesses.Launcher launcher) {
        this.name = name;
        this.address = address;
        this.clock = clock;
        this.observer = observer;
        this.launcher = launcher;
    }

    void perform(String word) {
        MarkKind action = ACTIONS.get(word);
        if (action == null) {
            throw new IllegalArgumentException("A broker has no action " + word + ".");
        }
        String refusal = refusal(action);
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        observe(action, clock.getAsLong());
        ChildProcess running = process;
        if (running == null) {
            launch();
        } else {
            perform(action, running);
        }
    }

    private void perform(MarkKind action, ChildProcess running) {
        switch (action) {
            case FREEZE -> {
                running.stop(SIGNAL_LIMIT);
                state = BrokerState.FROZEN;
            }
            case THAW -> {
                running.resume(SIGNAL_LIMIT);
                state = BrokerState.UP;
            }
            case KILL -> {
                state = BrokerState.STOPPING;
                running.destroy();
            }
            default -> {
                state = BrokerState.STOPPING;
                running.terminate(STOP_LIMIT);
            }
        }
    }

    private void launch() {
        state = BrokerState.STARTING;
        try {
            process = launcher.launch(this);
        } catch (IOException e) {
            log.error("{} cannot be started", name, e);
            exited(-1, clock.getAsLong());
        }
    }

    /**
     * Kills the broker and returns its process, if any. Its data are deleted with the lab, and the last of three
     * brokers could not stop gracefully without a majority of the controllers.
     */
    Stream<ChildProcess> end() {
        ChildProcess running = process;
        if (running == null) {
            return Stream.empty();
        }
        perform(MarkKind.KILL, running);
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
            log.error("{} has ended with code {}; see its log", name, code);
        }
        process = null;
        state = BrokerState.DOWN;
        observer.accept(new Observation.Exited(at, name, code));
    }

    private void observe(MarkKind kind, long at) {
        observer.accept(new Observation.Occurred(at, name, kind));
    }

    /** Why the action is not possible now and what to do first; null if it is possible. */
    private @Nullable String refusal(MarkKind action) {
        return switch (action) {
            case BROKER_START -> state == BrokerState.DOWN ? null : name + " is running already.";
            case KILL -> process == null ? notUp() : null;
            case THAW -> state == BrokerState.FROZEN ? null : name + " is not frozen.";
            case FREEZE -> ChildProcess.canStop() ? notUp() : "This system has no SIGSTOP, so nothing can be frozen.";
            default -> notUp();
        };
    }

    private @Nullable String notUp() {
        return switch (state) {
            case DOWN -> name + " is down; start it first.";
            case FROZEN -> name + " is frozen; thaw it first.";
            case STOPPING -> name + " is stopping; wait until it has ended.";
            case STARTING -> name + " is starting; wait until it is up.";
            case UP -> null;
        };
    }

    boolean isUp() {
        return state == BrokerState.UP;
    }

    boolean isRunning() {
        return state != BrokerState.DOWN;
    }

    Broker state() {
        Map<String, @Nullable String> refusals = new HashMap<>();
        ACTIONS.forEach((word, action) -> refusals.put(word, refusal(action)));
        return new Broker(name, address, state, refusals);
    }
}
