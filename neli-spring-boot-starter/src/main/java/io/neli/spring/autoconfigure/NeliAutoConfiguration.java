package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for leader election.
 *
 * <p>Contributes a {@link Neli} that is built from {@link NeliProperties} and the application's Kafka connection, and backs
 * off where there is one already. It is started and stopped with the application context. A {@link Neli} bean of your own
 * calls the {@link io.neli.LeaderListener} beans only if you hand them to its builder; one of them publishes the
 * {@link io.neli.spring.LeadershipEvent leadership events}.
 */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@EnableConfigurationProperties(NeliProperties.class)
@Import({NeliEnabledConfiguration.class, NeliDisabledConfiguration.class})
public final class NeliAutoConfiguration {}
