package io.neli.sample.lab;

import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.harness.ChildProcess;
import io.neli.harness.Link;
import io.neli.sample.instance.report.Report;
import io.neli.sample.lab.JavaProcesses.Program;
import io.neli.sample.lab.history.LatestReport;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the sample: its process, its links and its latest report. */
final class LabInstance extends ControlledProcess {

    private static final Logger log = LoggerFactory.getLogger(LabInstance.class);
    private static final JsonMapper json = JsonMapper.shared();

    private final List<Link> links;
    private final LatestReport latest = new LatestReport();
    private @Nullable String problem;
    private boolean cut;

    /** It is shown as starting until the brokers are up, and it is started. */
    LabInstance(
            Program program, List<Link> links, JavaProcesses processes, Consumer<Observation> observer, Object lab) {
        super(program, EnumSet.range(MarkKind.KILL, MarkKind.RESIGN), ProcessState.STARTING, processes, observer, lab);
        this.links = List.copyOf(links);
    }

    @Override
    void perform(MarkKind action) {
        super.perform(action);
        switch (action) {
            case CUT -> {
                cut = true;
                links.forEach(Link::silence);
            }
            case HEAL -> {
                cut = false;
                links.forEach(Link::pass);
            }
            case START -> problem = null;
            default -> {}
        }
    }

    /** Connects the process to the brokers again, so that it can hand over. */
    @Override
    Stream<ChildProcess> end(MarkKind action) {
        links.forEach(Link::pass);
        return super.end(action);
    }

    @Override
    void printed(String line, long at) {
        hasStarted();
        try {
            Report report = json.readValue(line, Report.class);
            latest.reported(report, at);
            observer.accept(new Observation.Reported(at, name(), report));
        } catch (JacksonException e) {
            log.warn("{} has printed a line that is not a report: {}", name(), line);
        }
    }

    @Override
    void exited(int code, long at) {
        if (code != 0 && state() == ProcessState.STARTING) {
            problem = "ended with code " + code + " before it had started; see its log";
        }
        latest.clear();
        super.exited(code, at);
    }

    @Override
    @Nullable
    String refusal(MarkKind action) {
        if (action == MarkKind.HEAL) {
            return cut ? null : "is not cut off.";
        }
        return action == MarkKind.CUT && cut ? "is cut off already." : super.refusal(action);
    }

    InstanceState view(long now) {
        return new InstanceState(
                name(),
                pid(),
                state(),
                cut,
                problem == null ? latest.problem() : problem,
                latest.leadership(now),
                latest.logs(),
                refusals());
    }
}
