package io.neli.sample.lab;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.util.StringUtils;

/**
 * What the lab needs to know about its brokers and instances.
 *
 * @param brokers how many
 * @param arguments for all instances, from the command line of the lab
 * @param lease {@code neli.lease-duration}
 * @param log where the instances elect their leader
 */
record LabSettings(int brokers, List<String> arguments, Duration lease, Log log) {

    private static final String BROKERS = "brokers";
    private static final String QUORUM = "neli.quorum";

    record Timing(@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("3s") Duration leaseDuration) {}

    /** The settings of the instances that determine their leader topic. */
    record Log(String group, Optional<String> topic, int quorum) {

        private static Log of(Binder instance, int brokers) {
            return new Log(
                    text(instance, "neli.group-id")
                            .or(() -> text(instance, "spring.application.name"))
                            .orElse("neli-sample"),
                    text(instance, "neli.topic.name"),
                    instance.bind(QUORUM, Integer.class).orElseGet(() -> brokers));
        }

        private static Optional<String> text(Binder instance, String property) {
            return Optional.ofNullable(instance.bind(property, String.class).orElse(null))
                    .filter(StringUtils::hasText);
        }
    }

    /**
     * Reads the lab's arguments and passes those that the election uses to the instances. With three brokers, these
     * elect by a majority of three logs unless configured otherwise.
     *
     * @param environment that of an instance started with these arguments
     */
    static LabSettings of(List<String> arguments, Environment environment) {
        int brokers = brokers(arguments);
        List<String> forInstances = new ArrayList<>(
                arguments.stream().filter(LabSettings::isOfElection).toList());
        if (brokers > 1 && !Binder.get(environment).bind(QUORUM, String.class).isBound()) {
            forInstances.add("--" + QUORUM + "=" + brokers);
        }
        return new LabSettings(
                brokers,
                List.copyOf(forInstances),
                Binder.get(environment).bindOrCreate("neli", Timing.class).leaseDuration(),
                Log.of(Binder.get(environment), brokers));
    }

    private static boolean isOfElection(String argument) {
        return argument.startsWith("--spring.application.name=")
                || (argument.startsWith("--neli.") && !argument.startsWith("--neli.name="));
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
