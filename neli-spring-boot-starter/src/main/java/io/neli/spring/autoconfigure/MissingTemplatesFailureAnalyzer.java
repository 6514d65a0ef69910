package io.neli.spring.autoconfigure;

import io.neli.spring.LeaderKafkaTemplates;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Shows why there are no {@link LeaderKafkaTemplates} on NATS, in place of Boot's advice to define them. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingTemplatesFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    MissingTemplatesFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        ResolvableType missing = cause.getResolvableType();
        if (missing == null || missing.resolve() != LeaderKafkaTemplates.class || !NatsChoice.isIn(environment)) {
            return null;
        }
        return new FailureAnalysis(
                "A bean needs LeaderKafkaTemplates, which there are only where the election is on Kafka, and "
                        + NatsChoice.SERVERS + " is set.",
                "Fence what the leader writes by its token (docs/fencing.md), or remove " + NatsChoice.SERVERS
                        + " for an election on Kafka.",
                cause);
    }
}
