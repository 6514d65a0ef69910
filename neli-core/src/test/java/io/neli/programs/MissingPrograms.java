package io.neli.programs;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips tests that need a missing program before their fixtures are created, and logs it in one line. {@link Needs}
 * names the programs. A module whose tests all need one names it in the configuration parameter {@value #PARAMETER},
 * and lets JUnit detect this extension.
 */
public final class MissingPrograms implements ExecutionCondition {

    static final String PARAMETER = "neli.test.needs";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        List<Program> missing =
                needed(context).filter(program -> program.find().isEmpty()).toList();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("no program is missing");
        }
        String reason = missing.stream()
                .map(program -> program + " (" + program.installation() + ")")
                .collect(Collectors.joining(" and ", name(context) + " is skipped because it needs ", ""));
        System.err.println(reason);
        return ConditionEvaluationResult.disabled(reason);
    }

    private static Stream<Program> needed(ExtensionContext context) {
        Optional<Program> byModule = context.getConfigurationParameter(PARAMETER, Program::valueOf);
        Stream<Program> byAnnotation = AnnotationSupport.findAnnotation(context.getElement(), Needs.class).stream()
                .flatMap(needs -> Stream.of(needs.value()));
        return Stream.concat(byModule.stream(), byAnnotation).distinct();
    }

    private static String name(ExtensionContext context) {
        String method =
                context.getTestMethod().map(found -> "." + found.getName()).orElse("");
        return context.getRequiredTestClass().getSimpleName() + method;
    }
}
