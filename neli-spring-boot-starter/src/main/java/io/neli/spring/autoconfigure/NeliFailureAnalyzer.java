package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.StringUtils;

/** Reports problems of the election with their fix. Comes before Boot's analyzers, whose advice does not fit here. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NeliFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
        NeliException ours = findCause(rootFailure, NeliException.class);
        if (ours != null) {
            return new FailureAnalysis(sentence(ours.problem()), sentence(ours.fix()), ours);
        }
        BeanDefinitionOverrideException taken = findCause(rootFailure, BeanDefinitionOverrideException.class);
        if (taken != null && taken.getBeanName().equals("neli")) {
            return new FailureAnalysis(
                    "Bean 'neli', defined in " + taken.getExistingDefinition().getResourceDescription()
                            + ", has the name of the election's bean, and its type is not io.neli.Neli.",
                    "Rename it. If it is meant to be the election, declare io.neli.Neli as the type of its @Bean method.",
                    taken);
        }
        return null;
    }

    private static String sentence(String text) {
        boolean beginsWithName = text.split(" ", 2)[0].contains("."); // of a property, or of a class
        return (beginsWithName ? text : StringUtils.capitalize(text)) + ".";
    }
}
