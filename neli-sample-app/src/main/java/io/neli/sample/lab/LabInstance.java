package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.neli.harness.ChildProcess;
import io.neli.harness.Link;
import io.neli.sample.instance.report.Report;
import io.neli.sample.lab.history.LatestReport;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.JavaProcesses;
import io.neli.sample.lab.process.ProcessListener;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** One instance of the sample: its process, its links and its latest report. Guarded by the lab. */
final class LabInstance implements ProcessListener {

    private static final Logger log = LoggerFactory.getLogger(LabInstance.class);
    private static final JsonMapper json = JsonMapper.shared();
    private static final Set<MarkKind> ACTIONS = EnumSet.range(MarkKind.KILL, MarkKind.RESIGN);

    /** Longer than a handover may take. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** How long the lab, and its page, wait for a signal to take effect. */
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(2);

    private final String name;
    private final List<Link> links;
    private final LongSupplier clock;
    private final Consumer<Observation> observer;
    private final JavaProcesses.Launcher launcher;
    private final LatestReport latest = new LatestReport();
    private ProcessState state = ProcessState.STARTING; // begins when the brokers are up
    private @Nullable ChildProcess process;
    private @Nullable String problem;
    private boolean cut;

    LabInstance(
            String name,
            List<Link> links,
            LongSupplier clock,
            Consumer<Observation> observer,
            JavaProcesses.Launcher launcher) {
        this.name = name;
        this.links = List.copyOf(links);
        this.clock = clock;
        this.observer = observer;
        this.launcher = launcher;
    }

    void perform(String word) {
        MarkKind action = ACTIONS.stream()
                .filter(each -> word(each).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("An instance has no action " + word + "."));
        String refusal = refusal(action);
        if (refusal != null) {
            throw new IllegalStateException(name + " " + refusal);
        }
        perform(action);
    }

    private void perform(MarkKind action) {
        observer.accept(new Observation.Occurred(clock.getAsLong(), name, action));
        ChildProcess running = process;
        if (action == MarkKind.START) {
            start();
        } else if (action == MarkKind.HEAL) {
            cut = false;
            links.forEach(Link::pass);
        } else if (running != null) {
            perform(action, running);
        }
    }

    private void perform(MarkKind action, ChildProcess running) {
        switch (action) {
            case KILL -> running.destroy();
            case FREEZE -> {
                running.stop(SIGNAL_LIMIT);
                state = ProcessState.FROZEN;
            }
            case THAW -> {
                running.resume(SIGNAL_LIMIT);
                state = ProcessState.RUNNING;
            }
            case CUT -> {
                cut = true;
                links.forEach(Link::silence);
            }
            case STOP -> {
                state = ProcessState.STOPPING;
                running.terminate(STOP_LIMIT);
            }
            case RESIGN -> running.say("resign");
            default -> {}
        }
    }

    private void start() {
        problem = null;
        state = ProcessState.STARTING;
        try {
            process = launcher.launch(this);
        } catch (IOException e) {
            problem = "cannot be started: " + e.getMessage();
            state = ProcessState.DOWN;
        }
    }

    /** Starts the process for the first time. Called when the brokers are up. */
    void begin() {
        perform(MarkKind.START);
    }

    /**
     * Connects the process to the brokers again and asks it to stop, or kills it if it is frozen. Returns it, if any.
     */
    Stream<ChildProcess> end() {
        links.forEach(Link::pass);
        ChildProcess running = process;
        if (running == null) {
            return Stream.empty();
        }
        if (state == ProcessState.FROZEN) {
            running.destroy();
        } else {
            running.terminate(STOP_LIMIT);
        }
        return Stream.of(running);
    }

    @Override
    public void printed(String line, long at) {
        if (state == ProcessState.STARTING) {
            state = ProcessState.RUNNING;
        }
        try {
            reported(json.readValue(line, Report.class), at);
        } catch (JacksonException e) {
            log.warn("{} has printed a line that is not a report: {}", name, line);
        }
    }

    private void reported(Report report, long at) {
        if (report instanceof Report.Snapshot snapshot) {
            latest.reported(snapshot, at);
            observer.accept(new Observation.Eligible(at, name, latest.isEligible()));
        } else if (report instanceof Report.Event event) {
            changed(event, at);
        } else if (report instanceof Report.Write write) {
            observer.accept(
                    new Observation.Written(at, name, write.token(), write.number(), write.outcome(), write.reason()));
        } else if (report instanceof Report.Run run) {
            observer.accept(
                    run.ended()
                            ? new Observation.RunEnded(at, name, run.token(), run.due())
                            : new Observation.RunBegun(at, name, run.token(), run.due()));
        } else if (report instanceof Report.Waiting waiting) {
            observer.accept(new Observation.Waiting(at, waiting.token(), waiting.time(), waiting.recorded()));
        }
    }

    private void changed(Report.Event event, long at) {
        String reason = event.reason() == null ? "" : event.reason();
        switch (event.event()) {
            case ACQUIRED -> observer.accept(new Observation.Acquired(at, name, event.token()));
            case REVOKED -> observer.accept(new Observation.Revoked(at, name, event.token(), reason));
            case FENCED -> {
                Observation.Fenced fenced = new Observation.Fenced(at, name, event.token(), reason);
                latest.fenced(fenced);
                observer.accept(fenced);
            }
        }
    }

    @Override
    public void exited(int code, long at) {
        if (code != 0 && state == ProcessState.STARTING) {
            problem = "ended with code " + code + " before it had started; see its log";
        }
        process = null;
        state = ProcessState.DOWN;
        latest.clear();
        observer.accept(new Observation.Exited(at, name, code));
    }

    /** Why the action is not possible now and what to do first; null if it is possible. */
    private @Nullable String refusal(MarkKind action) {
        return switch (action) {
            case HEAL -> cut ? null : "is not cut off.";
            case START -> state == ProcessState.DOWN ? null : "is running already.";
            case KILL -> process == null ? notRunning() : null;
            case CUT -> process == null ? notRunning() : cut ? "is cut off already." : null;
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

    private static String word(MarkKind action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    InstanceState state(long now) {
        Map<String, @Nullable String> refusals = new HashMap<>();
        for (MarkKind action : ACTIONS) {
            String refusal = refusal(action);
            refusals.put(word(action), refusal == null ? null : name + " " + refusal);
        }
        return new InstanceState(
                name,
                process == null ? null : process.pid(),
                state,
                cut,
                problem == null ? latest.problem() : problem,
                latest.leadership(now),
                latest.logs(),
                refusals);
    }
}
