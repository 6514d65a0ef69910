package io.neli.sample.lab;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.harness.ChildProcess;
import io.neli.sample.lab.JavaProcesses.Program;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.jspecify.annotations.Nullable;

/** A broker or an instance: its process, and what can be done to it. Guarded by the lab. */
abstract class ControlledProcess implements ChildProcess.Listener {

    /** Longer than a handover may take. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** How long the lab, and its page, wait for a signal to take effect. */
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(2);

    private final Program program;
    private final Set<MarkKind> actions;
    private final JavaProcesses processes;
    final Consumer<Observation> observer;
    private final Object lab;
    private ProcessState state;
    private @Nullable ChildProcess process;

    /**
     * Does not start the process yet.
     *
     * @param actions what can be done to it
     * @param lab whose lock is held when the observer is called
     */
    ControlledProcess(
            Program program,
            Set<MarkKind> actions,
            ProcessState state,
            JavaProcesses processes,
            Consumer<Observation> observer,
            Object lab) {
        this.program = program;
        this.actions = actions;
        this.state = state;
        this.processes = processes;
        this.observer = observer;
        this.lab = lab;
    }

    final String name() {
        return program.name();
    }

    final ProcessState state() {
        return state;
    }

    final @Nullable Long pid() {
        return process == null ? null : process.pid();
    }

    final void perform(String word) {
        MarkKind action = actions.stream()
                .filter(each -> word(each).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name() + " has no action " + word + "."));
        String refusal = refusal(action);
        if (refusal != null) {
            throw new IllegalStateException(name() + " " + refusal);
        }
        perform(action);
    }

    void perform(MarkKind action) {
        long at = now();
        ChildProcess running = process;
        if (action == MarkKind.START) {
            state = ProcessState.DOWN; // if it cannot be started
            process = processes.start(program, this);
            state = ProcessState.STARTING;
        }
        observer.accept(new Observation.Occurred(at, name(), action));
        if (running != null) {
            perform(action, running);
        }
    }

    private void perform(MarkKind action, ChildProcess running) {
        switch (action) {
            case KILL -> {
                state = ProcessState.STOPPING;
                running.destroy();
            }
            case FREEZE -> {
                running.stop(SIGNAL_LIMIT);
                state = ProcessState.FROZEN;
            }
            case THAW -> {
                running.resume(SIGNAL_LIMIT);
                state = ProcessState.RUNNING;
            }
            case STOP -> {
                state = ProcessState.STOPPING;
                running.terminate(STOP_LIMIT);
            }
            case RESIGN -> running.say("resign");
            default -> {}
        }
    }

    /** Ends the process at the end of the lab, by KILL if it is frozen, and returns it, if any. */
    Stream<ChildProcess> end(MarkKind action) {
        Optional<ChildProcess> running = Optional.ofNullable(process);
        running.ifPresent(each -> perform(state == ProcessState.FROZEN ? MarkKind.KILL : action, each));
        return running.stream();
    }

    @Override
    public final void printed(String line) {
        long at = now();
        synchronized (lab) {
            printed(line, at);
        }
    }

    @Override
    public final void exited(int code) {
        long at = now();
        synchronized (lab) {
            exited(code, at);
        }
    }

    abstract void printed(String line, long at);

    void exited(int code, long at) {
        process = null;
        state = ProcessState.DOWN;
        observer.accept(new Observation.Exited(at, name(), code));
    }

    /** Notes that the process has started. Returns whether that is new. */
    final boolean hasStarted() {
        boolean isNew = state == ProcessState.STARTING;
        state = isNew ? ProcessState.RUNNING : state;
        return isNew;
    }

    private long now() {
        return processes.clock().getAsLong();
    }

    /** Why the action is not possible now and what to do first; null if it is possible. */
    @Nullable
    String refusal(MarkKind action) {
        return switch (action) {
            case START -> state == ProcessState.DOWN ? null : "is running already.";
            case KILL, CUT -> process == null ? notRunning() : null;
            case THAW -> state == ProcessState.FROZEN ? null : "is not frozen.";
            case STOP -> state == ProcessState.STARTING && process != null ? null : notRunning();
            case FREEZE -> ChildProcess.canStop() ? notRunning() : "cannot be frozen: this system has no SIGSTOP.";
            default -> notRunning();
        };
    }

    private @Nullable String notRunning() {
        return switch (state) {
            case DOWN -> "is not running; start it first.";
            case FROZEN -> "is frozen; thaw it first.";
            case STOPPING -> "is stopping; wait until it has ended.";
            case STARTING -> "is starting; wait until it runs.";
            case RUNNING -> null;
        };
    }

    final Map<String, @Nullable String> refusals() {
        Map<String, @Nullable String> refusals = new HashMap<>();
        for (MarkKind action : actions) {
            String refusal = refusal(action);
            refusals.put(word(action), refusal == null ? null : name() + " " + refusal);
        }
        return refusals;
    }

    private static String word(MarkKind action) {
        return action.name().toLowerCase(Locale.ROOT);
    }
}
