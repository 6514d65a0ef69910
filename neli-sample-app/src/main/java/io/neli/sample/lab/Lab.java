package io.neli.sample.lab;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.history.Lane;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.web.RefusedControlException;
import io.neli.sample.lab.web.UnknownControlException;

/** The broker, the instances, and what has become of them. Confined to the lab's thread. */
final class Lab {

    private final LabSettings settings;
    private final LabClock clock;
    private final LabRecord record;
    private final LabBroker broker;
    private final Map<String, LabInstance> instances = new LinkedHashMap<>();

    private boolean begun;
    private boolean ending;

    Lab(LabSettings settings, LabClock clock, LabThread thread, LabRecord record, Network network, Processes processes)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.record = record;
        Scene scene = new Scene(clock, thread, this::observe, record::add);
        broker = LabBroker.create(processes, clock, this::observe, network.listeners(), network.controllerPort());
        network.links().forEach((name, link) -> {
            Lane lane = new Lane(settings.roles());
            instances.put(
                    name,
                    new LabInstance(name, link, lane, scene, listener -> launch(name, link, processes, listener)));
        });
    }

    private ChildProcess launch(String name, Link link, Processes processes, Processes.Listener listener)
            throws IOException {
        List<String> own = List.of(
                "--spring.profiles.active=lab",
                "--spring.kafka.bootstrap-servers=127.0.0.1:" + link.port(),
                "--logging.file.name=" + processes.directory().log(name),
                "--neli.name=" + name);
        List<String> arguments =
                Stream.concat(own.stream(), settings.arguments().stream()).toList();
        return processes.start(name, "128m", List.of(), SampleApplication.class.getName(), arguments, listener);
    }

    void start() {
        broker.start();
    }

    /** The first time that the broker is up, the instances are started. */
    private void observe(Observation observation) {
        record.observe(observation);
        if (observation instanceof Observation.BrokerUp && !begun && !ending) {
            begun = true;
            instances.values().forEach(LabInstance::start);
        }
    }

    /** Several times a second. */
    void tick() {
        broker.tick();
        instances.values().forEach(LabInstance::tick);
        long now = clock.now();
        record.publish(new LabView(
                now,
                settings.lease().toMillis(),
                settings.group(),
                settings.roles(),
                broker.view(),
                instances.values().stream().map(instance -> instance.view(now)).toList()));
    }

    /** Done when the action is. */
    CompletableFuture<Void> perform(String name, String word) {
        refuseAtTheEnd();
        LabInstance instance = instances.get(name);
        if (instance == null) {
            throw new UnknownControlException("There is no instance " + name + ", only " + instances.keySet());
        }
        Action action = Action.of(word);
        if (action == null) {
            throw new UnknownControlException("Nobody can " + word + " an instance; see its actions");
        }
        return instance.perform(action);
    }

    CompletableFuture<Void> performOnBroker(String action) {
        refuseAtTheEnd();
        switch (action) {
            case "stop" -> broker.stop();
            case "start" -> broker.start();
            default ->
                throw new UnknownControlException("Nobody can " + action + " the broker, only stop and start it");
        }
        return CompletableFuture.completedFuture(null);
    }

    private void refuseAtTheEnd() {
        if (ending) {
            throw new RefusedControlException("the lab is ending");
        }
    }

    /** Asks all instances to end, and kills those that are frozen; the processes that there are. */
    List<ChildProcess> endInstances() {
        ending = true;
        return instances.values().stream().flatMap(LabInstance::end).toList();
    }

    /** Asks the broker to end. */
    List<ChildProcess> endBroker() {
        return broker.end().toList();
    }
}
