package io.neli.spring.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Creates the customizer for test classes with {@link NeliTest}. */
final class NeliTestContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        NeliTest annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass, NeliTest.class);
        return annotation == null
                ? null
                : new NeliTestContextCustomizer(annotation.leader(), List.of(annotation.roles()));
    }
}
