package io.neli.sample.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sees to it that there is a Kafka before the application starts: where no bootstrap servers are configured, it joins the
 * broker that other instances of the sample use, or starts it, and sets {@code spring.kafka.bootstrap-servers}.
 *
 * <p>Not while the sample is built, when it is processed ahead of time. The broker is used until this process ends, so it outlives the context, whose end is a handover over Kafka.
 */
public final class LocalKafka implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    private static final Logger log = LoggerFactory.getLogger(LocalKafka.class);

    private static final List<String> SERVERS = List.of(
            "spring.kafka.bootstrap-servers",
            "neli.kafka.bootstrap-servers",
            "neli.kafka.properties.bootstrap.servers",
            "neli.kafka.properties[bootstrap.servers]");

    /** After the configuration is read and the logging is set up by it. */
    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (!isNeeded(environment)) {
            return;
        }
        try {
            BrokerDirectory directory = BrokerDirectory.open(environment.getProperty("sample.broker.directory"));
            log.info(
                    "No bootstrap servers are configured: using a broker of the sample's own, see {}", directory.log());
            String address = SharedBroker.join(directory);
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("localKafka", Map.of("spring.kafka.bootstrap-servers", address)));
        } catch (IOException e) {
            throw new UncheckedIOException("No local Kafka broker: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the local Kafka broker", e);
        }
    }

    static boolean isNeeded(ConfigurableEnvironment environment) {
        Binder binder = Binder.get(environment);
        return SERVERS.stream().noneMatch(name -> binder.bind(name, Bindable.listOf(String.class))
                        .isBound())
                && environment.getProperty("neli.enabled", Boolean.class, true)
                && !environment.getProperty(AbstractAotProcessor.AOT_PROCESSING, Boolean.class, false);
    }
}
