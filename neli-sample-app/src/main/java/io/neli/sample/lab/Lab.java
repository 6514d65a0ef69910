package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.LeaderTerm;
import io.neli.Neli;
import io.neli.harness.BrokerConfiguration.Node;
import io.neli.harness.BrokerMain;
import io.neli.harness.ChildProcess;
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.harness.Routes;
import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.JavaProcesses.Program;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState;
import io.neli.sample.lab.view.LabState.ProcessState;
import io.neli.sample.lab.view.PageView;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The brokers, the instances and their history, all guarded by this object's lock. */
@Component
final class Lab {

    private static final Logger log = LoggerFactory.getLogger(Lab.class);
    private static final List<String> INSTANCES = List.of("alice", "bob", "carol");
    private static final String GROUP = "neli-sample";
    private static final String TOPIC = "neli-sample.neli";
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

    private final List<LabBroker> brokers;
    private final List<LabInstance> instances;
    private boolean started;
    private boolean stopping;

    Lab(LabSettings settings, JavaProcesses processes) {
        this.settings = settings;
        this.processes = processes;
        routes = Routes.open(network, settings.brokers(), INSTANCES);
        election = Neli.builder()
                .kafka(Map.of(
                        "bootstrap.servers",
                        routes.brokers().stream().map(Node::address).collect(Collectors.joining(","))))
                .groupId(GROUP)
                .topic(TOPIC)
                .quorum(settings.quorum())
                .build();
        String cluster = Uuid.randomUuid().toString();
        brokers = routes.brokers().stream().map(node -> broker(node, cluster)).toList();
        instances = routes.links().entrySet().stream()
                .map(entry -> instance(entry.getKey(), entry.getValue()))
                .toList();
        history = new History(
                settings.lease().toMillis(),
                brokers.stream().map(ControlledProcess::name).collect(Collectors.toSet()));
    }

    private LabBroker broker(Node node, String cluster) {
        String name = settings.brokers() == 1 ? "broker" : "broker-" + node.id();
        try {
            Path file = SmallBroker.configure(processes.directory().resolve(name), node, routes.brokers());
            Program program = new Program(
                    name,
                    List.of("-Xmx256m", "-Dlogback.configurationFile=logback-broker.xml"),
                    BrokerMain.class,
                    List.of(file.toString(), cluster));
            return new LabBroker(program, node.address(), processes, this::observe, this);
        } catch (IOException e) {
            throw new UncheckedIOException("The lab cannot be started: " + e.getMessage(), e);
        }
    }

    private LabInstance instance(String name, List<Link> links) {
        List<String> own = List.of(
                "--spring.profiles.active=lab",
                "--spring.kafka.bootstrap-servers=" + routes.bootstrapServers(name),
                "--logging.file.name=" + processes.log(name),
                "--neli.name=" + name,
                "--neli.group-id=" + GROUP,
                "--neli.topic.name=" + TOPIC,
                "--neli.quorum=" + settings.quorum());
        List<String> arguments =
                Stream.concat(own.stream(), settings.arguments().stream()).toList();
        Program program = new Program(name, List.of("-Xmx128m"), SampleApplication.class, arguments);
        return new LabInstance(program, links, processes, this::observe, this);
    }

    /** Starts the instances when all brokers are up for the first time. */
    private void observe(Observation observation) {
        history.apply(observation);
        if (!started && !stopping && brokers.stream().allMatch(broker -> broker.state() == ProcessState.RUNNING)) {
            started = true;
            instances.forEach(instance -> instance.perform(MarkKind.START));
        }
    }

    /** After the web server has started. */
    @EventListener(ApplicationReadyEvent.class)
    synchronized void start() {
        brokers.forEach(broker -> broker.perform(MarkKind.START));
    }

    /** Stops the instances, then ends the brokers, before the web server stops. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        try (network) {
            end(instances, MarkKind.STOP);
            // Their data are deleted, and the last of three could not stop without a majority of the controllers.
            end(brokers, MarkKind.KILL);
        }
    }

    /** Waits without holding the lock, which the last reports need. */
    private void end(List<? extends ControlledProcess> controlled, MarkKind action) {
        List<ChildProcess> ending;
        synchronized (this) {
            stopping = true;
            ending = controlled.stream().flatMap(process -> process.end(action)).toList();
        }
        for (ChildProcess process : ending) {
            if (!process.endsWithin(END_LIMIT)) {
                log.warn("Process {} has not ended", process.pid());
            }
        }
    }

    synchronized PageView view() {
        long now = processes.clock().getAsLong();
        return PageView.of(new LabState(
                now,
                settings.lease().toMillis(),
                brokers.stream().map(LabBroker::view).toList(),
                instances.stream().map(each -> each.view(now)).toList(),
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
     * Performs an action on a broker or an instance.
     *
     * @throws IllegalArgumentException if there is no such process or action
     * @throws IllegalStateException if the action is not possible now, with a message for the user
     */
    synchronized void perform(String name, String action) {
        if (stopping) {
            throw new IllegalStateException("The lab is stopping.");
        }
        Stream.<ControlledProcess>concat(brokers.stream(), instances.stream())
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no process " + name + "."))
                .perform(action);
    }
}
