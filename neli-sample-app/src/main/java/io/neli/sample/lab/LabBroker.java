package io.neli.sample.lab;

import java.util.EnumSet;
import java.util.function.Consumer;

import io.neli.harness.BrokerMain;
import io.neli.sample.lab.JavaProcesses.Program;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker, which keeps its ports and data when it restarts. */
final class LabBroker extends ControlledProcess {

    private static final Logger log = LoggerFactory.getLogger(LabBroker.class);

    private final String address;

    LabBroker(Program program, String address, JavaProcesses processes, Consumer<Observation> observer, Object lab) {
        super(
                program,
                EnumSet.of(MarkKind.KILL, MarkKind.FREEZE, MarkKind.THAW, MarkKind.STOP, MarkKind.START),
                ProcessState.DOWN,
                processes,
                observer,
                lab);
        this.address = address;
    }

    @Override
    void printed(String line, long at) {
        if (line.equals(BrokerMain.UP) && hasStarted()) {
            observer.accept(new Observation.Occurred(at, name(), MarkKind.UP));
        }
    }

    @Override
    void exited(int code, long at) {
        if (state() != ProcessState.STOPPING) {
            log.error("{} has ended with code {}; see its log", name(), code);
        }
        super.exited(code, at);
    }

    Broker view() {
        return new Broker(name(), address, state(), refusals());
    }
}
