package io.neli.spring.gate;

import io.micrometer.observation.ObservationPredicate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

/** {@link EnableAutoConfiguration Auto-configuration} that leaves runs of scheduled tasks unobserved that are skipped here. */
@AutoConfiguration(after = LeaderOnlyAutoConfiguration.class)
@ConditionalOnClass(ObservationPredicate.class)
@ConditionalOnBean(LeaderOnlyBeanPostProcessor.class)
public final class SkippedTicksAutoConfiguration {

    @Bean("io.neli.spring.gate.SkippedTicks")
    ObservationPredicate skippedTicks(LeaderOnlyBeanPostProcessor gate) {
        return (name, context) -> !(context instanceof ScheduledTaskObservationContext tick)
                || !gate.skips(tick.getMethod(), tick.getTargetClass());
    }
}
