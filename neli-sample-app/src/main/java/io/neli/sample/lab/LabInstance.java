package io.neli.sample.lab;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.neli.sample.lab.LabView.InstanceView;
import io.neli.sample.lab.LabView.ProcessState;
import io.neli.sample.lab.history.Lane;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.history.Snapshot;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.web.RefusedControlException;
import org.jspecify.annotations.Nullable;

/** One instance of the sample: its process, its link, its lane. Confined to the lab's thread. */
final class LabInstance implements Processes.Listener {

    /** Starts its process. */
    interface Launcher {

        ChildProcess launch(Processes.Listener listener) throws IOException;
    }

    /** In milliseconds: how long it may take to stop, which is more than a handover may. */
    private static final long STOP_LIMIT = 20_000;

    private final String name;
    private final Link link;
    private final Lane lane;
    private final Scene scene;
    private final Launcher launcher;
    private final InstanceReports reports;
    private final Freezer freezer;

    /** It will be started when the broker is up. */
    private ProcessState state = ProcessState.STARTING;

    private @Nullable ChildProcess process;
    private @Nullable String problem;
    private boolean cut;
    private long stoppingSince;

    LabInstance(String name, Link link, Lane lane, Scene scene, Launcher launcher) {
        this.name = name;
        this.link = link;
        this.lane = lane;
        this.scene = scene;
        this.launcher = launcher;
        this.freezer = new Freezer(name, scene);
        this.reports = new InstanceReports(name, lane, scene, freezer);
    }

    /**
     * Does it, unless that makes no sense now.
     *
     * @return done when it is; only a freeze takes its time
     * @throws RefusedControlException with the reason
     */
    CompletableFuture<Void> perform(Action action) {
        ChildProcess running = process;
        if (!can(action)) {
            throw new RefusedControlException(name + " " + refusal(action));
        }
        if (action == Action.START) {
            start();
        } else if (running != null && action == Action.FREEZE) {
            return freezer.freeze(running, lane.leads(InstanceReports.LEDGER))
                    .thenRun(() -> state = ProcessState.FROZEN);
        } else {
            did(action);
            if (running != null) {
                perform(action, running);
            }
            if (action == Action.CUT || action == Action.HEAL) {
                setCut(action == Action.CUT);
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void perform(Action action, ChildProcess running) {
        switch (action) {
            case KILL -> {
                freezer.cancel();
                running.kill();
            }
            case STOP -> {
                freezer.cancel();
                state = ProcessState.STOPPING;
                stoppingSince = scene.clock().now();
                running.terminate();
            }
            case THAW -> {
                freezer.thaw(running);
                state = ProcessState.RUNNING;
            }
            case RESIGN -> running.tell("resign");
            default -> {}
        }
    }

    private void did(Action action) {
        scene.history().accept(new Observation.Done(scene.clock().now(), name, MarkKind.valueOf(action.name())));
    }

    void start() {
        did(Action.START);
        problem = null;
        try {
            process = launcher.launch(this);
            state = ProcessState.STARTING;
        } catch (IOException e) {
            problem = "cannot be started: " + e.getMessage();
            state = ProcessState.DEAD;
        }
    }

    private void setCut(boolean next) {
        cut = next;
        if (next) {
            link.cut();
        } else {
            link.heal();
        }
    }

    @Override
    public void printed(String line, long at) {
        if (state == ProcessState.STARTING) {
            state = ProcessState.RUNNING;
        }
        reports.printed(line, at);
    }

    @Override
    public void exited(int code, long at) {
        if (code != 0 && state == ProcessState.STARTING) {
            problem = "ended with code " + code + " before it had started; see its log";
        }
        freezer.cancel();
        process = null;
        state = ProcessState.DEAD;
        lane.clear();
        scene.history().accept(new Observation.Exited(at, name, code));
    }

    /** Does what has waited for its time. */
    void tick() {
        freezer.tick();
        if (state == ProcessState.STOPPING && process != null && scene.clock().now() - stoppingSince > STOP_LIMIT) {
            process.kill();
        }
    }

    /** Asks it to end, and lets it reach the broker for that; one that is frozen is killed. Its process, if there is one. */
    Stream<ChildProcess> end() {
        freezer.cancel();
        link.heal();
        ChildProcess running = process;
        if (running == null) {
            return Stream.empty();
        }
        if (state == ProcessState.FROZEN) {
            running.kill();
        } else {
            running.terminate();
        }
        return Stream.of(running);
    }

    private boolean can(Action action) {
        boolean running = state == ProcessState.RUNNING;
        boolean frozen = state == ProcessState.FROZEN;
        return switch (action) {
            case KILL -> process != null;
            case FREEZE -> running && ChildProcess.canFreeze() && !freezer.isWaiting();
            case THAW -> frozen;
            case CUT -> process != null && !cut;
            case HEAL -> cut;
            case STOP -> running || (state == ProcessState.STARTING && process != null);
            case START -> state == ProcessState.DEAD;
            case RESIGN -> running;
        };
    }

    private String refusal(Action action) {
        if (action == Action.HEAL || (action == Action.CUT && cut)) {
            return cut ? "is cut from the broker already" : "is not cut from the broker";
        }
        return switch (state) {
            case DEAD -> "is not running; start it first";
            case FROZEN -> "is frozen; thaw it first";
            case STOPPING -> "is stopping; wait for its end";
            case STARTING -> "is starting; wait until it runs";
            case RUNNING ->
                switch (action) {
                    case START -> "runs already";
                    case THAW -> "is not frozen";
                    case FREEZE ->
                        ChildProcess.canFreeze()
                                ? "is about to be frozen"
                                : "cannot be frozen: this system has no kill command";
                    default -> "cannot " + action.word() + " now";
                };
        };
    }

    InstanceView view(long now) {
        Snapshot snapshot = lane.snapshot();
        String told = snapshot == null ? null : snapshot.problem();
        return new InstanceView(
                name,
                process == null ? null : process.pid(),
                state,
                cut,
                problem != null ? problem : told,
                snapshot == null ? null : snapshot.status(),
                Stream.of(Action.values()).filter(this::can).map(Action::word).toList(),
                lane.roles(now));
    }
}
