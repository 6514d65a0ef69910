package io.neli.spring.gate;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import io.neli.NeliException;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.spring.autoconfigure.NeliBuilderCustomizer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AliasFor;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.ExceptionHandler;

import static io.neli.spring.LeaderOnly.Otherwise.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class LeaderOnlyTest {

    private final StubNeli neli = StubNeli.leading();
    private GatedContext gated = new GatedContext(neli);

    @AfterEach
    void close() {
        gated.close();
    }

    @Test
    void a_leader_runs_the_method_as_work() {
        Job job = gated.start(Job.class);

        assertThat(job.number()).hasValue(1);
        assertThat(neli.calls).containsExactly("begin", "end");
    }

    /** Otherwise it would throw too, and Spring would answer 500. */
    @Test
    void a_standby_calls_the_handler_of_what_an_annotated_class_throws() {
        neli.lead(false);
        Ledger ledger = gated.start(Ledger.class);

        assertThatThrownBy(ledger::settle).isInstanceOf(NotLeaderException.class);
        assertThat(ledger.elsewhere()).isEqualTo("ask the leader");
    }

    @LeaderOnly(otherwise = THROW)
    static class Ledger {

        void settle() {}

        @ExceptionHandler
        String elsewhere() {
            return "ask the leader";
        }
    }

    @Test
    void a_standby_skips_the_method_and_returns_an_empty_value() {
        neli.lead(false);
        Job job = gated.start(Job.class);

        job.nothing();
        assertThat(job.number()).isEmpty();
        assertThat(job.optional()).isEmpty();
        assertThat(job.runs).isNull();
    }

    @Test
    void the_work_ends_when_the_method_throws_and_the_caller_gets_what_it_threw() {
        Job job = gated.start(Job.class);

        assertThatThrownBy(job::fails).isInstanceOf(IOException.class).hasMessage("broken");
        assertThat(neli.calls).containsExactly("begin", "end");
    }

    @Test
    void a_package_private_method_is_intercepted() {
        neli.lead(false);
        Job job = gated.start(Job.class);

        job.packagePrivate();

        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_method_without_the_annotation_always_runs() {
        neli.lead(false);
        Job job = gated.start(Job.class);

        assertThat(job.ungated()).isEqualTo(1);
        assertThat(neli.calls).isEmpty();
    }

    @Test
    void a_bean_without_the_annotation_is_not_proxied() {
        assertThat(AopUtils.isAopProxy(gated.start(Plain.class))).isFalse();
    }

    @Test
    void an_annotated_class_means_each_method_except_those_of_object() {
        neli.lead(false);
        AnnotatedClass bean = gated.start(AnnotatedClass.class);

        assertThat(bean.number()).isEmpty();
        assertThat(bean.toString()).isEqualTo("described");
        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_subclass_inherits_the_annotation_of_the_method_that_it_overrides() {
        neli.lead(false);

        assertThat(gated.start(Subclass.class).number()).isEmpty();
    }

    @Test
    void an_annotation_of_the_application_may_carry_it() {
        neli.lead(false);

        assertThat(gated.start(MetaAnnotated.class).number()).isEmpty();
    }

    @Test
    void the_role_is_that_of_the_method_or_else_of_the_class() {
        ClassWithRole bean = gated.start(ClassWithRole.class);

        bean.ofTheClass();
        bean.ofTheMethod();
        bean.theFirstOfTheList();

        assertThat(neli.calls).containsExactly("begin invoices", "end", "begin reports", "end", "begin", "end");
    }

    @Test
    void an_annotation_of_the_application_may_pass_its_role_on() {
        gated.start(MetaAnnotatedWithRole.class).number();

        assertThat(neli.calls).containsExactly("begin reports", "end");
    }

    @Test
    void a_role_on_an_interface_s_method_counts_behind_a_proxy_that_implements_it() {
        gated.start(RoleOnInterface.class, false);

        gated.context.getBean(GreetingWithRole.class).greet("me");

        assertThat(neli.calls).containsExactly("begin invoices", "end");
    }

    @Test
    void placeholders_in_a_role_are_resolved_once() {
        MockEnvironment environment = new MockEnvironment().withProperty("billing.role", "invoices");
        gated.context.setEnvironment(environment);
        Placeholder bean = gated.start(Placeholder.class);
        environment.setProperty("billing.role", "changed");

        bean.number();
        bean.withDefault();

        assertThat(neli.calls).containsExactly("begin eu-invoices", "end", "begin reports", "end");
    }

    @Test
    void placeholders_are_resolved_once_behind_a_proxy_that_implements_interfaces_too() {
        MockEnvironment environment = new MockEnvironment().withProperty("billing.role", "invoices");
        gated.context.setEnvironment(environment);
        gated.start(PlaceholderBehindInterface.class, false);
        environment.setProperty("billing.role", "changed");

        gated.context.getBean(Greeting.class).greet("me");

        assertThat(neli.calls).containsExactly("begin invoices", "end");
    }

    @Test
    void a_role_that_is_blank_or_unresolved_is_refused() {
        assertRefused(BlankRole.class, true, "BlankRole.number()", "its role ' ' is blank", "name a role");
        assertRefused(
                EmptyPlaceholder.class, true, "its role '${missing:}' is blank once it is resolved", "name a role");
        assertRefused(Placeholder.class, true, "Placeholder.number()", "'eu-${billing.role}'", "set the property");
    }

    @Test
    void a_proxy_that_implements_interfaces_finds_the_annotation_on_the_class() {
        neli.lead(false);
        gated.start(Service.class, false);

        Greeting greeting = gated.context.getBean(Greeting.class);

        assertThat(AopUtils.isJdkDynamicProxy(greeting)).isTrue();
        assertThat(greeting.greet("me")).isEmpty();
    }

    @Test
    void a_proxy_that_implements_interfaces_finds_the_annotation_on_the_interface() {
        neli.lead(false);
        gated.start(InterfaceAnnotated.class, false);

        assertThat(gated.context.getBean(AnnotatedGreeting.class).greet("me")).isEmpty();
    }

    @Test
    void an_interface_s_annotated_method_may_be_implemented_by_a_superclass_that_does_not_know_the_interface() {
        neli.lead(false);

        InheritedGreeting greeting = gated.start(InheritedGreeting.class);
        assertThat(greeting.greet("me")).isEmpty();
        assertThat(greeting.reply("you")).isEmpty();
    }

    @Test
    void a_lambda_or_proxy_has_the_annotation_of_its_interface() {
        neli.lead(false);
        gated.start(OfInterfacesAlone.class, true);

        assertThat(gated.context.getBean("lambda", AnnotatedGreeting.class).greet("me"))
                .isEmpty();
        assertThat(gated.context.getBean("proxy", AnnotatedGreeting.class).greet("me"))
                .isEmpty();
    }

    @Test
    void an_annotated_interface_that_the_target_of_a_proxy_lacks_is_refused() {
        assertRefused(Repository.class, true, "AnnotatedGreeting.greet()", "java.lang.String behind it", "of yours");
    }

    @Test
    void a_bean_method_is_refused() {
        assertRefused(WithBeanMethod.class, true, "WithBeanMethod.clock()", "is a @Bean method", "@StartWhenLeading");
    }

    @Test
    void a_method_that_the_interfaces_of_the_proxy_lack_is_refused() {
        assertRefused(MethodOutsideOfInterface.class, false, "outside()", "spring.aop.proxy-target-class=true");
    }

    @Test
    void a_method_that_cannot_be_intercepted_is_refused() {
        assertRefused(PrivateMethod.class, true, "PrivateMethod.hidden()", "private", "remove the modifier");
        assertRefused(FinalMethod.class, true, "FinalMethod.fixed()", "final", "remove the modifier");
        assertRefused(StaticMethod.class, true, "StaticMethod.shared()", "static", "remove the modifier");
        assertRefused(FinalMethodInAnnotatedClass.class, true, "fixed()", "final", "annotate methods instead");
        assertRefused(StaticTickInAnnotatedClass.class, true, "tick()", "static", "annotate methods instead");
        assertRefused(PrivateHandlerInAnnotatedClass.class, true, "on()", "private", "annotate methods instead");
    }

    @Test
    void a_scheduled_method_is_named_where_scheduling_is_not_enabled(CapturedOutput output) {
        gated.start(Ticking.class);
        assertThat(output)
                .contains("Ticking.tick() is @Scheduled, but scheduling is not enabled")
                .contains("Ticking.tickTwice() is @Scheduled, but scheduling is not enabled");
    }

    @Test
    void nothing_is_said_of_a_scheduled_method_where_scheduling_is_enabled(CapturedOutput output) {
        gated.with(Scheduling.class).start(Ticking.class);
        assertThat(output).doesNotContain("scheduling is not enabled");
    }

    @Test
    void a_helper_in_an_annotated_class_may_be_private_or_static() {
        assertThat(gated.start(HelpersInAnnotatedClass.class).number()).hasValue(3);
    }

    @Test
    void a_listener_to_leadership_is_refused() {
        assertRefused(ListenerWithoutParameter.class, true, "prepare()", "listens to an event of leadership");
        assertRefused(GatedLeaderListener.class, true, "onEvent()", "listens to an event of leadership");
        assertRefused(Listener.class, true, "Listener.on()", "listens to an event of leadership");
    }

    @Test
    void a_suspending_function_is_refused() {
        DynamicType.Unloaded<?> continuation = new ByteBuddy()
                .makeInterface()
                .name("kotlin.coroutines.Continuation")
                .make();
        Class<?> suspending = new ByteBuddy()
                .subclass(Object.class)
                .name("io.neli.spring.gate.Suspending")
                .defineMethod("work", Object.class, Visibility.PUBLIC)
                .withParameters(continuation.getTypeDescription())
                .intercept(FixedValue.nullValue())
                .annotateMethod(
                        AnnotationDescription.Builder.ofType(LeaderOnly.class).build())
                .make()
                .include(continuation)
                .load(getClass().getClassLoader())
                .getLoaded();

        assertRefused(
                suspending, true, "Suspending.work()", "it is a suspending function", "return a Mono", "runBlocking");
    }

    @Test
    void a_bean_that_is_created_too_early_is_refused() {
        gated.context.registerBean(NeedsAJobEarly.class);
        assertThatThrownBy(() -> gated.start(Job.class))
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "@LeaderOnly cannot work on " + Job.class.getName(),
                        "bean 'bean' is created before the post processor of @LeaderOnly",
                        "ObjectProvider");
    }

    @Test
    void a_call_may_throw_where_this_member_does_not_lead() {
        neli.lead(false);
        Throwing bean = gated.start(Throwing.class);

        assertThatThrownBy(bean::ofTheClass)
                .isInstanceOf(NotLeaderException.class)
                .hasMessageContainingAll("role 'default'", "nobody is known to lead it");
        assertThatThrownBy(bean::count).isInstanceOfSatisfying(NotLeaderException.class, e -> assertThat(e.role())
                .isEqualTo("reports"));
        assertThat(bean.skipped()).isEmpty();
    }

    @Test
    void a_call_that_throws_elsewhere_runs_where_this_member_leads() {
        assertThat(gated.start(Throwing.class).count()).isEqualTo(1);
    }

    @Test
    void the_exception_names_who_leads_and_the_default_role_where_none_is_named() {
        AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, "a method");
        LeaderOnlyMethod method = new LeaderOnlyMethod(place, "", THROW, () -> null, null, null);
        assertThatThrownBy(() -> method.otherwise(neli))
                .isInstanceOfSatisfying(
                        NotLeaderException.class, e -> assertThat(e.leader()).isEqualTo(neli.leader()))
                .hasMessageContainingAll(
                        "role 'default'", "it leads with token 42, but its listeners are still preparing");
        Leader other = new Leader("reports", "bob", 17, false, Map.of());
        assertThat(new NotLeaderException("reports", Optional.of(other)))
                .hasMessageContainingAll("role 'reports'", "'bob' leads it with token 17");
    }

    @Test
    void a_role_that_the_member_does_not_list_is_refused_also_on_a_bean_that_is_created_late() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
                .withPropertyValues("neli.enabled=false", "neli.roles=invoices,reports")
                .withBean(NeliBuilderCustomizer.class, () -> builder -> builder.roles("invoices", "mail"));
        String[] words = {"ClassWithRole.ofTheMethod()", "'reports' is not in neli.roles, which is [invoices, mail]"};

        runner.withBean(ClassWithRole.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(words));
        runner.withBean(ClassWithRole.class, ClassWithRole::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThatThrownBy(() -> context.getBean(ClassWithRole.class))
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContainingAll(words));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void a_skipped_call_is_logged_for_debugging_with_who_leads(CapturedOutput output) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.neli");
        neli.lead(false);
        Job job = gated.start(Job.class);
        job.nothing();
        assertThat(output).doesNotContain("Skipped");
        Level before = logger.getLevel();
        try {
            logger.setLevel(Level.DEBUG);
            job.nothing();
        } finally {
            logger.setLevel(before);
        }
        assertThat(output).contains("Job.nothing(): ", "role 'default'", "nobody is known to lead it");
    }

    private void assertRefused(Class<?> type, boolean proxyTargetClass, String... messages) {
        gated.close();
        gated = new GatedContext(neli);
        assertThatThrownBy(() -> gated.start(type, proxyTargetClass))
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(messages);
    }

    static class Job {

        Integer runs;

        @LeaderOnly
        public Optional<Integer> number() {
            return Optional.of(1);
        }

        @LeaderOnly
        public void nothing() {
            runs = 1;
        }

        @LeaderOnly
        protected Optional<Integer> optional() {
            return Optional.of(1);
        }

        @LeaderOnly
        void packagePrivate() {}

        @LeaderOnly
        public void fails() throws IOException {
            throw new IOException("broken");
        }

        public int ungated() {
            return 1;
        }
    }

    static class Plain {}

    @LeaderOnly
    static class AnnotatedClass {

        Optional<Integer> number() {
            return Optional.of(1);
        }

        @Override
        public String toString() {
            return "described";
        }
    }

    static class Subclass extends Job {

        @Override
        public Optional<Integer> number() {
            return Optional.of(2);
        }
    }

    @LeaderOnly
    @Retention(RetentionPolicy.RUNTIME)
    @interface Housekeeping {}

    static class MetaAnnotated {

        @Housekeeping
        Optional<Integer> number() {
            return Optional.of(1);
        }
    }

    @LeaderOnly(role = "invoices")
    static class ClassWithRole {

        void ofTheClass() {}

        @LeaderOnly(role = "reports")
        void ofTheMethod() {}

        @LeaderOnly
        void theFirstOfTheList() {}
    }

    @LeaderOnly
    @Retention(RetentionPolicy.RUNTIME)
    @interface HousekeepingOf {

        @AliasFor(annotation = LeaderOnly.class, attribute = "role")
        String value();
    }

    static class MetaAnnotatedWithRole {

        @HousekeepingOf("reports")
        Optional<Integer> number() {
            return Optional.of(1);
        }
    }

    interface GreetingWithRole {

        @LeaderOnly(role = "invoices")
        Optional<String> greet(String whom);
    }

    static class RoleOnInterface implements GreetingWithRole {

        @Override
        public Optional<String> greet(String whom) {
            return Optional.of("Hello, " + whom);
        }
    }

    static class Placeholder {

        @LeaderOnly(role = "eu-${billing.role}")
        Optional<Integer> number() {
            return Optional.of(1);
        }

        @LeaderOnly(role = "${missing:reports}")
        void withDefault() {}
    }

    static class PlaceholderBehindInterface implements Greeting {

        @Override
        @LeaderOnly(role = "${billing.role}")
        public Optional<String> greet(String whom) {
            return Optional.of("Hello, " + whom);
        }
    }

    static class BlankRole {

        @LeaderOnly(role = " ")
        Optional<Integer> number() {
            return Optional.of(1);
        }
    }

    static class EmptyPlaceholder {

        @LeaderOnly(role = "${missing:}")
        void number() {}
    }

    interface Greeting {

        Optional<String> greet(String whom);
    }

    static class Service implements Greeting {

        @Override
        @LeaderOnly
        public Optional<String> greet(String whom) {
            return Optional.of("Hello, " + whom);
        }
    }

    interface AnnotatedGreeting {

        @LeaderOnly
        Optional<String> greet(String whom);
    }

    static class InterfaceAnnotated implements AnnotatedGreeting {

        @Override
        public Optional<String> greet(String whom) {
            return Optional.of("Hello, " + whom);
        }
    }

    public static class PlainGreeting {

        public Optional<String> reply(String to) {
            return Optional.of("Hello, " + to);
        }

        public Optional<String> greet(String whom) {
            return Optional.of("Hello, " + whom);
        }
    }

    public interface AnnotatedReply<T> {

        @LeaderOnly
        Optional<String> reply(T to);
    }

    public static class InheritedGreeting extends PlainGreeting implements AnnotatedGreeting, AnnotatedReply<String> {}

    static class MethodOutsideOfInterface implements Consumer<String> {

        @Override
        @LeaderOnly
        public void accept(String value) {}

        @LeaderOnly
        public void outside() {}
    }

    static class PrivateMethod {

        @LeaderOnly
        private void hidden() {}
    }

    static class FinalMethod {

        @LeaderOnly
        public final void fixed() {}
    }

    @EnableScheduling
    static class Scheduling {}

    static class Ticking {

        @Scheduled(cron = "0 0 3 * * *")
        @LeaderOnly
        void tick() {}

        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "0 0 15 * * *")
        @LeaderOnly
        void tickTwice() {}
    }

    static class StaticMethod {

        @LeaderOnly
        public static void shared() {}
    }

    @LeaderOnly
    static class FinalMethodInAnnotatedClass {

        public final void fixed() {}
    }

    @LeaderOnly
    static class StaticTickInAnnotatedClass {

        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "0 0 15 * * *")
        static void tick() {}
    }

    @LeaderOnly
    static class PrivateHandlerInAnnotatedClass {

        @EventListener
        private void on(String event) {}
    }

    @LeaderOnly
    static class HelpersInAnnotatedClass {

        Optional<Integer> number() {
            return Optional.of(one() + two());
        }

        private int one() {
            return 1;
        }

        static int two() {
            return 2;
        }
    }

    static class Listener {

        @LeaderOnly
        public void on(LeaderAcquiredEvent event) {}
    }

    @LeaderOnly(otherwise = THROW)
    static class Throwing {

        void ofTheClass() {}

        @LeaderOnly(role = "reports", otherwise = THROW)
        int count() {
            return 1;
        }

        @LeaderOnly
        Optional<String> skipped() {
            return Optional.of("ran");
        }
    }

    /** A post processor, as of another library, that needs one of the application's beans. */
    static class NeedsAJobEarly implements BeanPostProcessor, Ordered {

        NeedsAJobEarly(Job job) {
            assertThat(job).isNotNull();
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class ListenerWithoutParameter {

        @LeaderOnly
        @EventListener(LeaderAcquiredEvent.class)
        public void prepare() {}
    }

    @LeaderOnly
    static class GatedLeaderListener implements LeaderListener {

        @Override
        public void onEvent(LeaderEvent event) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithBeanMethod {

        @Bean
        @LeaderOnly
        Optional<Clock> clock() {
            return Optional.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Repository {

        @Bean
        AnnotatedGreeting repository() {
            ProxyFactory proxy = new ProxyFactory("what is behind it");
            proxy.setInterfaces(AnnotatedGreeting.class);
            proxy.addAdvice((MethodInterceptor) invocation -> Optional.of("ungated"));
            return (AnnotatedGreeting) proxy.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfInterfacesAlone {

        @Bean
        AnnotatedGreeting lambda() {
            return name -> Optional.of("lambda");
        }

        @Bean
        AnnotatedGreeting proxy() {
            return (AnnotatedGreeting) Proxy.newProxyInstance(
                    AnnotatedGreeting.class.getClassLoader(),
                    new Class<?>[] {AnnotatedGreeting.class},
                    (proxy, method, arguments) -> method.getName().equals("greet") ? Optional.of("proxy") : null);
        }
    }
}
