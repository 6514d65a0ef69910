package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * What the lab has to know of its instances.
 *
 * @param instances their names
 * @param arguments what they are started with, besides what the lab adds
 * @param group the contending group
 * @param lease {@code neli.heartbeat-timeout}
 */
record LabSettings(List<String> instances, List<String> arguments, String group, List<String> roles, Duration lease) {

    private static final List<String> INSTANCES = List.of("alice", "bob", "carol");

    /**
     * As an instance in the lab will find them.
     *
     * @param arguments the lab's; those for Neli are handed on
     */
    static LabSettings read(List<String> arguments) {
        List<String> handedOn = arguments.stream()
                .filter(argument -> argument.startsWith("--neli.") && !argument.startsWith("--neli.name="))
                .toList();
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(handedOn.toArray(String[]::new)));
        ConfigDataEnvironmentPostProcessor.applyTo(
                environment, new DefaultResourceLoader(), new DefaultBootstrapContext(), "lab");
        ConfigurationPropertySources.attach(environment);
        Binder binder = Binder.get(environment);
        String group = binder.bind("neli.group-id", String.class)
                .orElseGet(() -> environment.getRequiredProperty("spring.application.name"));
        return new LabSettings(
                INSTANCES,
                handedOn,
                group,
                binder.bind("neli.roles", Bindable.listOf(String.class)).orElseGet(List::of),
                binder.bind("neli.heartbeat-timeout", Duration.class).orElseGet(() -> Duration.ofSeconds(3)));
    }

    /** Where the leader of the first role writes. */
    String ledgerTopic() {
        return group + ".ledger";
    }
}
