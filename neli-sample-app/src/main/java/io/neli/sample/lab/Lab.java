package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.LeaderTerm;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.harness.BrokerConfiguration.Node;
import io.neli.harness.BrokerMain;
import io.neli.harness.ChildProcess;
import io.neli.harness.Network;
import io.neli.harness.Routes;
import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.JavaProcesses;
import io.neli.sample.lab.process.JavaProcesses.Program;
import io.neli.sample.lab.process.ProcessListener;
import io.neli.sample.lab.view.LabState;
import io.neli.sample.lab.view.PageView;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The brokers, the instances and their history, all guarded by this object's lock. Starts after the web server and
 * stops before it.
 */
@Component
final class Lab implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Lab.class);
    private static final List<String> INSTANCES = List.of("alice", "bob", "carol");

    private static final Duration TERMS_SHOWN = Duration.ofHours(1);

    /** Longer than a process may take to end before it is killed. */
    private static final Duration END_LIMIT = Duration.ofSeconds(20);

    private final LabSettings settings;
    private final JavaProcesses processes;
    private final Network network = new Network();
    private final Routes routes;
    private final History history;

    /** Never started: it only reads the history of the election. */
    private final Neli election;

    private final Map<String, LabBroker> brokers = new LinkedHashMap<>();
    private final Map<String, LabInstance> instances = new LinkedHashMap<>();
    private boolean started;
    private boolean stopping;

    Lab(LabSettings settings, JavaProcesses processes) {
        this.settings = settings;
        this.processes = processes;
        try {
            routes = Routes.open(network, settings.brokers(), INSTANCES);
            String cluster = Uuid.randomUuid().toString();
            for (Node node : routes.brokers()) {
                addBroker(settings.brokers() == 1 ? "broker" : "broker-" + node.id(), node, cluster);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The lab cannot be started: " + e.getMessage(), e);
        }
        election = election();
        history = new History(settings.lease().toMillis(), brokers.keySet());
        routes.links().forEach((name, links) -> {
            Program program = instance(name);
            instances.put(
                    name,
                    new LabInstance(
                            name, links, processes.clock(), this::observe, listener -> launch(program, listener)));
        });
    }

    private Neli election() {
        String servers = routes.brokers().stream().map(Node::address).collect(Collectors.joining(","));
        NeliBuilder builder = Neli.builder()
                .kafka(Map.of("bootstrap.servers", servers))
                .groupId(settings.log().group())
                .quorum(settings.log().quorum());
        settings.log().topic().ifPresent(builder::topic);
        return builder.build();
    }

    private void addBroker(String name, Node node, String cluster) throws IOException {
        Path file = SmallBroker.configure(processes.directory().broker(name), node, routes.brokers());
        Program program = new Program(
                name,
                "256m",
                List.of("-Dlogback.configurationFile=logback-broker.xml"),
                BrokerMain.class,
                List.of(file.toString(), cluster));
        brokers.put(
                name,
                new LabBroker(
                        name, node.address(), processes.clock(), this::observe, listener -> launch(program, listener)));
    }

    private Program instance(String name) {
        List<String> own = List.of(
                "--spring.profiles.active=lab",
                "--spring.kafka.bootstrap-servers=" + routes.bootstrapServers(name),
                "--logging.file.name=" + processes.directory().log(name),
                "--neli.name=" + name);
        List<String> arguments =
                Stream.concat(own.stream(), settings.arguments().stream()).toList();
        return new Program(name, "128m", List.of(), SampleApplication.class, arguments);
    }

    private ChildProcess launch(Program program, ProcessListener listener) throws IOException {
        return processes.start(program, listener, this);
    }

    /** Starts the instances when all brokers are up for the first time. */
    private void observe(Observation observation) {
        history.apply(observation);
        if (!started && !stopping && brokers.values().stream().allMatch(LabBroker::isUp)) {
            started = true;
            instances.values().forEach(LabInstance::begin);
        }
    }

    @Override
    public synchronized void start() {
        brokers.values().forEach(each -> each.perform("start"));
    }

    /** Stops the instances, then ends the brokers. */
    @Override
    public void stop() {
        try (network) {
            end(() -> instances.values().stream().flatMap(LabInstance::end).toList());
            end(() -> brokers.values().stream().flatMap(LabBroker::end).toList());
        }
    }

    /** Waits without holding the lock, which the last reports need. */
    private void end(Supplier<List<ChildProcess>> request) {
        List<ChildProcess> ending;
        synchronized (this) {
            stopping = true;
            ending = request.get();
        }
        for (ChildProcess process : ending) {
            if (!process.endsWithin(END_LIMIT)) {
                log.warn("Process {} has not ended", process.pid());
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return started || brokers.values().stream().anyMatch(LabBroker::isRunning);
    }

    synchronized PageView view() {
        long now = processes.clock().getAsLong();
        return PageView.of(new LabState(
                now,
                settings.lease().toMillis(),
                brokers.values().stream().map(LabBroker::state).toList(),
                instances.values().stream().map(each -> each.state(now)).toList(),
                history.view()));
    }

    /**
     * Reads from the log who led. Does not take the lab's lock.
     *
     * @throws io.neli.NeliException if the log cannot be read
     */
    List<LeaderTerm> terms() throws InterruptedException {
        return election.history("partition-0", TERMS_SHOWN);
    }

    /**
     * Performs an action on an instance.
     *
     * @throws IllegalArgumentException if there is no such instance or action
     * @throws IllegalStateException if the action is not possible now, with a message for the user
     */
    synchronized void instance(String name, String action) {
        refuseWhileStopping();
        LabInstance instance = instances.get(name);
        if (instance == null) {
            throw new IllegalArgumentException("There is no instance " + name + ".");
        }
        instance.perform(action);
    }

    /** Performs an action on a broker, with the same exceptions. */
    synchronized void broker(String name, String action) {
        refuseWhileStopping();
        LabBroker broker = brokers.get(name);
        if (broker == null) {
            throw new IllegalArgumentException("There is no broker " + name + ".");
        }
        broker.perform(action);
    }

    private void refuseWhileStopping() {
        if (stopping) {
            throw new IllegalStateException("The lab is stopping.");
        }
    }
}
