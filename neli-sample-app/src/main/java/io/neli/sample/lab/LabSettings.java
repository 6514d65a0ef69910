package io.neli.sample.lab;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * What the lab needs to know about its brokers and instances.
 *
 * @param brokers how many
 * @param quorum {@code neli.quorum}, by default one log on each broker
 * @param lease {@code neli.lease-duration}
 * @param arguments for all instances, from the command line of the lab
 */
record LabSettings(int brokers, int quorum, Duration lease, List<String> arguments) {

    private static final String BROKERS = "brokers";

    /** The lab gives these to the instances itself. */
    private static final Set<String> OWN =
            Set.of("--neli.name", "--neli.group-id", "--neli.topic.name", "--neli.quorum");

    record Timing(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("3s") Duration leaseDuration) {}

    /**
     * Reads the lab's arguments.
     *
     * @param environment that of an instance started with these arguments
     */
    static LabSettings of(List<String> arguments, Environment environment) {
        int brokers = brokers(arguments);
        Binder instance = Binder.get(environment);
        return new LabSettings(
                brokers,
                instance.bind("neli.quorum", Integer.class).orElseGet(() -> brokers),
                instance.bindOrCreate("neli", Timing.class).leaseDuration(),
                arguments.stream().filter(LabSettings::isForInstances).toList());
    }

    private static boolean isForInstances(String argument) {
        return argument.startsWith("--neli.") && !OWN.contains(argument.split("=", 2)[0]);
    }

    private static int brokers(List<String> arguments) {
        String value = new SimpleCommandLinePropertySource(arguments.toArray(String[]::new)).getProperty(BROKERS);
        if (value == null) {
            return 1;
        }
        if (!Set.of("1", "3").contains(value)) {
            throw new InvalidConfigurationPropertyValueException(
                    BROKERS, value, "the lab has one broker or three: start it with --brokers=3, or without for one");
        }
        return Integer.parseInt(value);
    }
}
