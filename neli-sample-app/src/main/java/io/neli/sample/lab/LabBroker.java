package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.sample.broker.BrokerConfiguration;
import io.neli.sample.broker.BrokerListener;
import io.neli.sample.broker.BrokerMain;
import io.neli.sample.lab.LabView.BrokerState;
import io.neli.sample.lab.LabView.BrokerView;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.web.RefusedControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker: stopped and started at the same ports with the same data. Confined to the lab's thread. */
final class LabBroker implements Processes.Listener {

    private static final Logger log = LoggerFactory.getLogger(LabBroker.class);

    private static final long START_LIMIT = Duration.ofSeconds(60).toMillis();
    private static final long STOP_LIMIT = Duration.ofSeconds(8).toMillis();

    private final Processes processes;
    private final LabClock clock;
    private final Consumer<Observation> observer;
    private final String address;

    private BrokerState state = BrokerState.DOWN;
    private @Nullable ChildProcess process;
    private long since;

    private LabBroker(Processes processes, LabClock clock, Consumer<Observation> observer, String address) {
        this.processes = processes;
        this.clock = clock;
        this.observer = observer;
        this.address = address;
    }

    /**
     * One that is down.
     *
     * @param listeners the first of them is the lab's own
     */
    static LabBroker create(
            Processes processes,
            LabClock clock,
            Consumer<Observation> observer,
            List<BrokerListener> listeners,
            int controllerPort)
            throws IOException {
        BrokerConfiguration.write(processes.directory().brokerConfiguration(), listeners, controllerPort);
        return new LabBroker(
                processes, clock, observer, "127.0.0.1:" + listeners.get(0).port());
    }

    void start() {
        if (state != BrokerState.DOWN) {
            throw new RefusedControlException("the broker is not down");
        }
        enter(BrokerState.STARTING);
        observer.accept(new Observation.Done(since, null, MarkKind.BROKER_START));
        try {
            process = processes.start(
                    "broker",
                    "256m",
                    List.of("-Dlogback.configurationFile=logback-broker.xml"),
                    BrokerMain.class.getName(),
                    List.of(processes.directory().brokerConfiguration().toString()),
                    this);
        } catch (IOException e) {
            log.error("The broker cannot be started", e);
            exited(-1, clock.now());
        }
    }

    void stop() {
        if (state != BrokerState.UP || process == null) {
            throw new RefusedControlException("the broker is not up");
        }
        enter(BrokerState.STOPPING);
        observer.accept(new Observation.Done(since, null, MarkKind.BROKER_STOP));
        process.terminate();
    }

    /** Ends what takes too long. */
    void tick() {
        long limit = state == BrokerState.STOPPING ? STOP_LIMIT : START_LIMIT;
        boolean underWay = state == BrokerState.STOPPING || state == BrokerState.STARTING;
        if (underWay && process != null && clock.now() - since > limit) {
            process.kill();
        }
    }

    @Override
    public void printed(String line, long at) {
        if (line.equals(BrokerMain.UP) && state == BrokerState.STARTING) {
            enter(BrokerState.UP);
            observer.accept(new Observation.BrokerUp(at));
        }
    }

    @Override
    public void exited(int code, long at) {
        if (state != BrokerState.STOPPING) {
            log.error(
                    "The broker has ended with code {}; its log is {}",
                    code,
                    processes.directory().log("broker"));
        }
        process = null;
        enter(BrokerState.DOWN);
        observer.accept(new Observation.Exited(at, null, code));
    }

    private void enter(BrokerState next) {
        state = next;
        since = clock.now();
    }

    /** Asks it to end; its process, if there is one. */
    Stream<ChildProcess> end() {
        ChildProcess running = process;
        if (running == null) {
            return Stream.empty();
        }
        enter(BrokerState.STOPPING);
        running.terminate();
        return Stream.of(running);
    }

    BrokerView view() {
        List<String> actions =
                switch (state) {
                    case UP -> List.of("stop");
                    case DOWN -> List.of("start");
                    case STARTING, STOPPING -> List.of();
                };
        return new BrokerView(state, address, actions);
    }
}
