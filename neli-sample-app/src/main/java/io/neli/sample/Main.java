package io.neli.sample;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

import io.neli.NeliException;
import io.neli.sample.instance.SampleApplication;
import io.neli.sample.lab.LabApplication;
import io.neli.sample.lab.SmallBroker;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Runs a broker ({@code --broker} or {@code --broker=port}), or prints who led a group ({@code --history}). Otherwise
 * runs an ordinary instance if bootstrap servers are configured in any way that Spring Boot supports, and else the lab,
 * which needs nothing.
 */
public final class Main {

    private static final List<String> SERVERS = List.of(
            "spring.kafka.bootstrap-servers",
            "neli.kafka.bootstrap-servers",
            "neli.kafka.properties.bootstrap.servers",
            "neli.kafka.properties[bootstrap.servers]");

    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try {
            OptionalInt broker = brokerPort(args);
            if (broker.isPresent()) {
                SmallBroker.run(broker.getAsInt());
                return;
            }
            if (HistoryCommand.isMeant(args)) {
                HistoryCommand.run(args);
                return;
            }
        } catch (IllegalArgumentException | NeliException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        ConfigurableEnvironment environment = environment(args);
        if (isInstance(environment)) {
            SampleApplication.main(args);
        } else {
            LabApplication.run(args, environment);
        }
    }

    /** Does not use Spring, whose classes would start to log. */
    static OptionalInt brokerPort(String... args) {
        for (String argument : args) {
            if (argument.equals("--broker")) {
                return OptionalInt.of(9092);
            }
            if (argument.startsWith("--broker=")) {
                return OptionalInt.of(port(argument.substring("--broker=".length())));
            }
        }
        return OptionalInt.empty();
    }

    private static int port(String value) {
        if (value.matches("[1-9]\\d{3,4}") && Integer.parseInt(value) < 65_536) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException("--broker=" + value + " has to name a port from 1000 to 65535: "
                + "--broker=9093, or --broker for 9092. The lab with three brokers is started with --brokers=3.");
    }

    /** The environment of an instance started with these arguments. */
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
