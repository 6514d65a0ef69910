package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.neli.sample.broker.BrokerMain;
import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.JavaProcesses;
import io.neli.sample.lab.process.JavaProcesses.Program;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.view.LabState;
import io.neli.sample.lab.view.PageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The broker, the instances and their history, all guarded by its lock. Starts after the web server and stops before it. */
@Component
final class Lab implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Lab.class);
    private static final List<String> INSTANCES = List.of("alice", "bob", "carol");

    /** Longer than each process is given to end before it is killed. */
    private static final Duration END_LIMIT = Duration.ofSeconds(20);

    private final LabSettings settings;
    private final JavaProcesses processes;
    private final Network network;
    private final History history;
    private final LabBroker broker;
    private final Map<String, LabInstance> instances = new LinkedHashMap<>();
    private boolean started;
    private boolean stopping;

    Lab(LabSettings settings, JavaProcesses processes) {
        this.settings = settings;
        this.processes = processes;
        history = new History(settings.lease().toMillis());
        Path configuration = processes.directory().brokerConfiguration();
        try {
            network = Network.open(INSTANCES);
            network.configureBroker(configuration);
        } catch (IOException e) {
            throw new UncheckedIOException("The lab cannot be started: " + e.getMessage(), e);
        }
        Program brokerProgram = new Program(
                "broker",
                "256m",
                List.of("-Dlogback.configurationFile=logback-broker.xml"),
                BrokerMain.class,
                List.of(configuration.toString()));
        broker = new LabBroker(processes.clock(), this::observe, listener -> launch(brokerProgram, listener));
        network.links().forEach((name, link) -> {
            Program program = instance(name, link);
            instances.put(
                    name,
                    new LabInstance(
                            name, link, processes.clock(), this::observe, listener -> launch(program, listener)));
        });
    }

    private Program instance(String name, Link link) {
        List<String> own = List.of(
                "--spring.profiles.active=lab",
                "--spring.kafka.bootstrap-servers=127.0.0.1:" + link.port(),
                "--logging.file.name=" + processes.directory().log(name),
                "--neli.name=" + name);
        List<String> arguments =
                Stream.concat(own.stream(), settings.arguments().stream()).toList();
        return new Program(name, "128m", List.of(), SampleApplication.class, arguments);
    }

    private ChildProcess launch(Program program, ChildProcess.Listener listener) throws IOException {
        return processes.start(program, new ChildProcess.Listener() {
            @Override
            public void printed(String line, long at) {
                synchronized (Lab.this) {
                    listener.printed(line, at);
                }
            }

            @Override
            public void exited(int code, long at) {
                synchronized (Lab.this) {
                    listener.exited(code, at);
                }
            }
        });
    }

    /** The instances start when the broker is up for the first time. */
    private void observe(Observation observation) {
        history.apply(observation);
        boolean up = observation instanceof Observation.Occurred occurred && occurred.kind() == MarkKind.BROKER_UP;
        if (up && !started && !stopping) {
            started = true;
            instances.values().forEach(LabInstance::begin);
        }
    }

    @Override
    public synchronized void start() {
        broker.start();
    }

    /** Stops the instances, then the broker. */
    @Override
    public void stop() {
        try {
            end(() -> instances.values().stream().flatMap(LabInstance::end).toList());
            end(() -> broker.end().toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // what is left is killed at the end of this process
        }
        network.close();
    }

    /** Waits without the lock, which the last reports need. */
    private void end(Supplier<List<ChildProcess>> request) throws InterruptedException {
        List<ChildProcess> ending;
        synchronized (this) {
            stopping = true;
            ending = request.get();
        }
        for (ChildProcess process : ending) {
            if (!process.awaitEnd(END_LIMIT)) {
                log.warn("Process {} has not ended", process.pid());
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return broker.state() != LabState.BrokerState.DOWN || started;
    }

    synchronized PageView view() {
        long now = processes.clock().getAsLong();
        return PageView.of(new LabState(
                now,
                settings.lease().toMillis(),
                broker.state(),
                network.address(),
                instances.values().stream().map(each -> each.state(now)).toList(),
                history.view()));
    }

    /**
     * Does something with an instance.
     *
     * @throws IllegalArgumentException if there is no such instance or action
     * @throws IllegalStateException if that is not possible now, with a message for the user
     */
    synchronized void instance(String name, String action) {
        refuseWhileStopping();
        LabInstance instance = instances.get(name);
        if (instance == null) {
            throw new IllegalArgumentException("There is no instance " + name + ".");
        }
        instance.perform(action);
    }

    /** Stops or starts the broker, with the same exceptions. */
    synchronized void broker(String action) {
        refuseWhileStopping();
        switch (action) {
            case "stop" -> broker.stop();
            case "start" -> broker.start();
            default -> throw new IllegalArgumentException("The broker has no action " + action + ".");
        }
    }

    private void refuseWhileStopping() {
        if (stopping) {
            throw new IllegalStateException("The lab is stopping.");
        }
    }
}
