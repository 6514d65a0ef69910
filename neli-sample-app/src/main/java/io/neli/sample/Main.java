package io.neli.sample;

import java.io.IOException;
import java.util.List;

import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.LabApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * If bootstrap servers are configured, in any way that Spring Boot reads configuration, this is an ordinary instance that uses
 * them; otherwise it is the lab, which needs nothing.
 */
public final class Main {

    private static final List<String> SERVERS = List.of(
            "spring.kafka.bootstrap-servers",
            "neli.kafka.bootstrap-servers",
            "neli.kafka.properties.bootstrap.servers",
            "neli.kafka.properties[bootstrap.servers]");

    private Main() {}

    public static void main(String[] args) throws IOException {
        ConfigurableEnvironment environment = environment(args);
        if (isInstance(environment)) {
            SampleApplication.main(args);
        } else {
            LabApplication.run(args, environment);
        }
    }

    /** The environment of an instance that is started with these arguments. */
    private static ConfigurableEnvironment environment(String... args) {
        StandardEnvironment environment = new StandardEnvironment();
        if (args.length > 0) {
            environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        }
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
        return environment;
    }

    static boolean isInstance(ConfigurableEnvironment environment) {
        ConfigurationPropertySources.attach(environment);
        Binder binder = Binder.get(environment);
        return SERVERS.stream().anyMatch(name -> binder.bind(name, Bindable.listOf(String.class))
                        .isBound())
                || !environment.getProperty("neli.enabled", Boolean.class, true);
    }
}
