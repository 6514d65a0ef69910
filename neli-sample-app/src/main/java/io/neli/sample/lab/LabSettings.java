package io.neli.sample.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * What the lab has to know about its brokers and instances.
 *
 * @param brokers how many
 * @param arguments for all instances, from the command line of the lab
 * @param lease {@code neli.lease-duration}
 */
record LabSettings(int brokers, List<String> arguments, Duration lease) {

    private static final String BROKERS = "brokers";
    private static final String QUORUM = "neli.quorum";

    /**
     * Settings from the lab's arguments, of which the instances get those for Neli. On three brokers they lead by a majority of
     * three logs, unless that is set to something else.
     *
     * @param environment as that of an instance that is started with these arguments
     */
    static LabSettings of(List<String> arguments, Environment environment) {
        int brokers = brokers(arguments);
        List<String> forInstances = new ArrayList<>(arguments);
        forInstances.removeIf(each -> !each.startsWith("--neli.") || each.startsWith("--neli.name="));
        if (brokers > 1 && !Binder.get(environment).bind(QUORUM, String.class).isBound()) {
            forInstances.add("--" + QUORUM + "=" + brokers);
        }
        return new LabSettings(
                brokers,
                List.copyOf(forInstances),
                Binder.get(environment)
                        .bind("neli.lease-duration", Duration.class)
                        .orElseGet(() -> Duration.ofSeconds(3)));
    }

    private static int brokers(List<String> arguments) {
        String value = new SimpleCommandLinePropertySource(arguments.toArray(String[]::new)).getProperty(BROKERS);
        if (value == null || value.equals("1")) {
            return 1;
        }
        if (value.equals("3")) {
            return 3;
        }
        throw new InvalidConfigurationPropertyValueException(
                BROKERS, value, "the lab has one broker or three: start it with --brokers=3, or without for one");
    }
}
