package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What the lab has to know about its instances.
 *
 * @param arguments for all instances, from the command line of the lab
 * @param lease {@code neli.lease-duration}
 */
record LabSettings(List<String> arguments, Duration lease) {

    /**
     * Settings from the lab's arguments, those for Neli only.
     *
     * @param environment as that of an instance that is started with these arguments
     */
    static LabSettings of(List<String> arguments, Environment environment) {
        return new LabSettings(
                arguments.stream()
                        .filter(each -> each.startsWith("--neli.") && !each.startsWith("--neli.name="))
                        .toList(),
                Binder.get(environment)
                        .bind("neli.lease-duration", Duration.class)
                        .orElseGet(() -> Duration.ofSeconds(3)));
    }
}
