package io.neli.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils.MethodFilter;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class SelfInvocationsTest {

    @Test
    void a_call_from_an_ungated_method_of_the_same_object_is_found() {
        assertThat(calls(Callers.class))
                .containsExactlyInAnyOrder(
                        "directly() calls settle()", "byReference() calls settle()", "inLambda() calls settle()");
    }

    @Test
    void a_call_in_a_superclass_is_found() {
        assertThat(calls(Subclass.class)).contains("directly() calls settle()");
    }

    @Test
    void calls_through_the_bean_from_gated_methods_and_of_others_are_in_order() {
        assertThat(calls(InOrder.class)).isEmpty();
    }

    @Test
    void start_up_warns_of_it_once(CapturedOutput output) {
        try (GatedContext gated = new GatedContext(StubNeli.leading())) {
            gated.context.registerBean("another", Callers.class);
            gated.start(Callers.class, true);
        }
        assertThat(output.getOut()
                        .split(
                                "In "
                                        + Pattern.quote(Callers.class.getName()
                                                + ", directly() calls settle() of the same object"),
                                -1))
                .hasSize(2);
    }

    private static List<String> calls(Class<?> type) {
        Set<Method> gated = MethodIntrospector.selectMethods(
                type, (MethodFilter) method -> method.isAnnotationPresent(LeaderOnly.class));
        return SelfInvocations.in(type, gated);
    }

    static class Callers {

        @LeaderOnly
        public void settle() {}

        public void directly() {
            settle();
        }

        public Runnable byReference() {
            return this::settle;
        }

        public Runnable inLambda() {
            return () -> settle();
        }
    }

    static class Subclass extends Callers {}

    static class InOrder {

        private InOrder self;
        private Supplier<InOrder> provider;

        @LeaderOnly
        public void settle() {
            other();
            helper();
        }

        @LeaderOnly
        public void other() {}

        private void helper() {
            other();
        }

        public void throughTheBean(InOrder injected) {
            self.settle();
            provider.get().settle();
            injected.settle();
            ungated();
        }

        public void ungated() {}
    }
}
