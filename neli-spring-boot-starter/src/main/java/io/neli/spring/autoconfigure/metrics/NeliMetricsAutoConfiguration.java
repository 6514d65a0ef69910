package io.neli.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the election's meters; off with
 * {@code management.metrics.enable.neli=false}. A {@link Neli} bean of your own is measured only if you
 * add the {@link io.neli.NeliMetrics} beans to its builder.
 */
@AutoConfiguration(
        after = NeliAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(Neli.class)
@ConditionalOnBean(MeterRegistry.class)
public final class NeliMetricsAutoConfiguration {

    // With a provider, because the election is built with this bean.
    @Bean
    @ConditionalOnMissingBean(name = "neliMeterBinder")
    NeliMeterBinder neliMeterBinder(ObjectProvider<Neli> election) {
        return new NeliMeterBinder(election::getObject);
    }
}
