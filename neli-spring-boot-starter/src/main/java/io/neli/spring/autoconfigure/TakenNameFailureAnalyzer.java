package io.neli.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows that another bean has the election's name, in place of Boot's advice to let one override the other. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class TakenNameFailureAnalyzer extends AbstractFailureAnalyzer<BeanDefinitionOverrideException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanDefinitionOverrideException cause) {
        if (!cause.getBeanName().equals("neli")) {
            return null;
        }
        return new FailureAnalysis(
                "Bean 'neli', defined in " + cause.getExistingDefinition().getResourceDescription()
                        + ", has the name of the election's bean, and its type is not io.neli.Neli.",
                "Rename it. If it is meant to be the election, declare io.neli.Neli as the type of its @Bean method.",
                cause);
    }
}
