package io.neli.spring;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class LeaderOnlyTest {

    private final StubNeli neli = StubNeli.leading();
    private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void a_leader_runs_the_method_as_gated_work() {
        Job job = start(Job.class, true);

        assertThat(job.number()).isEqualTo(1);
        assertThat(neli.calls).containsExactly("begin", "end");
    }

    @Test
    void a_standby_skips_the_method_and_returns_an_empty_value() {
        neli.lead(false);
        Job job = start(Job.class, true);

        job.nothing();
        assertThat(job.number()).isNull();
        assertThat(job.optional()).isEmpty();
        assertThat(job.runs).isNull();
    }

    @Test
    void the_work_ends_when_the_method_throws_and_the_caller_gets_what_it_threw() {
        Job job = start(Job.class, true);

        assertThatThrownBy(job::fails).isInstanceOf(IOException.class).hasMessage("broken");
        assertThat(neli.calls).containsExactly("begin", "end");
    }

    @Test
    void a_package_private_method_is_gated() {
        neli.lead(false);
        Job job = start(Job.class, true);

        job.packagePrivate();

        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_method_without_the_annotation_always_runs() {
        neli.lead(false);
        Job job = start(Job.class, true);

        assertThat(job.ungated()).isEqualTo(1);
        assertThat(neli.calls).isEmpty();
    }

    @Test
    void a_bean_without_the_annotation_is_not_proxied() {
        assertThat(AopUtils.isAopProxy(start(Plain.class, true))).isFalse();
    }

    @Test
    void an_annotated_class_gates_each_method_but_those_of_object() {
        neli.lead(false);
        AnnotatedClass bean = start(AnnotatedClass.class, true);

        assertThat(bean.number()).isNull();
        assertThat(bean.toString()).isEqualTo("described");
        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_subclass_inherits_the_annotation_of_the_method_that_it_overrides() {
        neli.lead(false);

        assertThat(start(Subclass.class, true).number()).isNull();
    }

    @Test
    void an_annotation_of_ones_own_may_carry_it() {
        neli.lead(false);

        assertThat(start(MetaAnnotated.class, true).number()).isNull();
    }

    @Test
    void the_role_is_that_of_the_method_or_else_of_the_class() {
        ClassWithRole bean = start(ClassWithRole.class, true);

        bean.ofTheClass();
        bean.ofTheMethod();
        bean.theFirstOfTheList();

        assertThat(neli.calls).containsExactly("begin invoices", "end", "begin reports", "end", "begin", "end");
    }

    @Test
    void an_annotation_of_ones_own_may_hand_its_role_on() {
        start(MetaAnnotatedWithRole.class, true).number();

        assertThat(neli.calls).containsExactly("begin reports", "end");
    }

    @Test
    void a_role_on_an_interface_s_method_counts_behind_a_proxy_that_implements_it() {
        start(RoleOnInterface.class, false);

        context.getBean(GreetingWithRole.class).greet("me");

        assertThat(neli.calls).containsExactly("begin invoices", "end");
    }

    @Test
    void placeholders_in_a_role_are_resolved_once() {
        MockEnvironment environment = new MockEnvironment().withProperty("billing.role", "invoices");
        context.setEnvironment(environment);
        Placeholder bean = start(Placeholder.class, true);
        environment.setProperty("billing.role", "changed");

        bean.number();
        bean.withDefault();

        assertThat(neli.calls).containsExactly("begin eu-invoices", "end", "begin reports", "end");
    }

    @Test
    void placeholders_are_resolved_once_behind_a_proxy_that_implements_interfaces_too() {
        MockEnvironment environment = new MockEnvironment().withProperty("billing.role", "invoices");
        context.setEnvironment(environment);
        start(PlaceholderBehindInterface.class, false);
        environment.setProperty("billing.role", "changed");

        context.getBean(Greeting.class).greet("me");

        assertThat(neli.calls).containsExactly("begin invoices", "end");
    }

    @Test
    void a_role_that_is_blank_or_unresolved_is_refused() {
        assertRefused(BlankRole.class, true, "BlankRole.number()", "its role ' ' is blank", "Name a role");
        assertRefused(
                EmptyPlaceholder.class, true, "its role '${missing:}' is blank once it is resolved", "Name a role");
        assertRefused(Placeholder.class, true, "Placeholder.number()", "'eu-${billing.role}'", "Set the property");
    }

    @Test
    void a_proxy_that_implements_interfaces_is_gated_by_the_annotation_on_the_class() {
        neli.lead(false);
        start(Service.class, false);

        Greeting greeting = context.getBean(Greeting.class);

        assertThat(AopUtils.isJdkDynamicProxy(greeting)).isTrue();
        assertThat(greeting.greet("me")).isNull();
    }

    @Test
    void a_proxy_that_implements_interfaces_is_gated_by_the_annotation_on_the_interface() {
        neli.lead(false);
        start(InterfaceAnnotated.class, false);

        assertThat(context.getBean(AnnotatedGreeting.class).greet("me")).isNull();
    }

    @Test
    void a_method_that_the_interfaces_of_the_proxy_lack_is_refused() {
        assertRefused(MethodBesideInterface.class, false, "beside()", "spring.aop.proxy-target-class=true");
    }

    @Test
    void a_method_that_cannot_be_intercepted_is_refused() {
        assertRefused(PrivateMethod.class, true, "PrivateMethod.hidden()", "private", "Remove the modifier");
        assertRefused(FinalMethod.class, true, "FinalMethod.fixed()", "final", "Remove the modifier");
        assertRefused(StaticMethod.class, true, "StaticMethod.shared()", "static", "Remove the modifier");
        assertRefused(FinalMethodInAnnotatedClass.class, true, "fixed()", "final");
    }

    @Test
    void a_helper_in_an_annotated_class_may_be_private_or_static() {
        assertThat(start(HelpersInAnnotatedClass.class, true).number()).isEqualTo(3);
    }

    @Test
    void a_primitive_return_type_is_refused() {
        assertRefused(Primitive.class, true, "Primitive.count()", "returns int", "Integer");
        assertRefused(PrimitiveInAnnotatedClass.class, true, "ready()", "returns boolean", "Boolean");
    }

    @Test
    void a_listener_to_leadership_is_refused() {
        assertRefused(Listener.class, true, "Listener.on()", "listens to an event of leadership");
    }

    @Test
    void the_gate_is_outside_the_interceptors_of_an_auto_proxy_for_classes() {
        context.registerBean(ClassAutoProxy.class);

        start(Job.class, true).number();

        assertThat(neli.calls).containsExactly("begin", "transaction begins", "transaction ends", "end");
    }

    @Test
    void the_gate_is_outside_the_interceptors_of_an_auto_proxy_for_interfaces() {
        context.registerBean(InterfaceAutoProxy.class);
        start(Service.class, false);

        context.getBean(Greeting.class).greet("me");

        assertThat(neli.calls).containsExactly("begin", "transaction begins", "transaction ends", "end");
    }

    @Test
    void asynchronous_work_is_gated_on_the_thread_that_does_it() {
        context.registerBean(AsyncSetup.class);
        AsyncJob job = start(AsyncJob.class, true);

        assertThat(job.work()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
        assertThat(neli.calls).containsExactly("submit", "begin", "work", "end");
    }

    @Test
    void an_attempt_is_not_repeated_where_this_member_no_longer_leads() {
        context.registerBean(RetrySetup.class);
        RetriedJob job = start(RetriedJob.class, true);

        job.work();

        assertThat(neli.calls).containsExactly("begin", "attempt", "end", "refuse");
    }

    @Test
    void a_scheduled_job_is_skipped_on_a_standby_and_runs_on_a_leader() {
        neli.lead(false);
        context.registerBean(SchedulingSetup.class);
        ScheduledJob job = start(ScheduledJob.class, true);

        await().until(() -> neli.calls.size() >= 2);
        assertThat(neli.calls).containsOnly("refuse");
        assertThat(job.hasRun()).isFalse();

        neli.lead(true);
        await().until(job::hasRun);
    }

    private <T> T start(Class<T> type, boolean proxyTargetClass) {
        context.registerBean(LeaderOnlyBeanPostProcessor.class, () -> {
            LeaderOnlyBeanPostProcessor processor = new LeaderOnlyBeanPostProcessor(() -> neli);
            processor.setProxyTargetClass(proxyTargetClass);
            return processor;
        });
        context.registerBean(StubNeli.class, () -> neli);
        context.registerBean("bean", type);
        context.refresh();
        return proxyTargetClass ? context.getBean(type) : null;
    }

    private void assertRefused(Class<?> type, boolean proxyTargetClass, String... messages) {
        context.close();
        context = new AnnotationConfigApplicationContext();
        assertThatThrownBy(() -> start(type, proxyTargetClass))
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(messages);
    }

    static class Job {

        Integer runs;

        @LeaderOnly
        public Integer number() {
            return 1;
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

        Integer number() {
            return 1;
        }

        @Override
        public String toString() {
            return "described";
        }
    }

    static class Subclass extends Job {

        @Override
        public Integer number() {
            return 2;
        }
    }

    @LeaderOnly
    @Retention(RetentionPolicy.RUNTIME)
    @interface Housekeeping {}

    static class MetaAnnotated {

        @Housekeeping
        Integer number() {
            return 1;
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
        Integer number() {
            return 1;
        }
    }

    interface GreetingWithRole {

        @LeaderOnly(role = "invoices")
        String greet(String whom);
    }

    static class RoleOnInterface implements GreetingWithRole {

        @Override
        public String greet(String whom) {
            return "Hello, " + whom;
        }
    }

    static class Placeholder {

        @LeaderOnly(role = "eu-${billing.role}")
        Integer number() {
            return 1;
        }

        @LeaderOnly(role = "${missing:reports}")
        void withDefault() {}
    }

    static class PlaceholderBehindInterface implements Greeting {

        @Override
        @LeaderOnly(role = "${billing.role}")
        public String greet(String whom) {
            return "Hello, " + whom;
        }
    }

    static class BlankRole {

        @LeaderOnly(role = " ")
        Integer number() {
            return 1;
        }
    }

    static class EmptyPlaceholder {

        @LeaderOnly(role = "${missing:}")
        void number() {}
    }

    interface Greeting {

        String greet(String whom);
    }

    static class Service implements Greeting {

        @Override
        @LeaderOnly
        public String greet(String whom) {
            return "Hello, " + whom;
        }
    }

    interface AnnotatedGreeting {

        @LeaderOnly
        String greet(String whom);
    }

    static class InterfaceAnnotated implements AnnotatedGreeting {

        @Override
        public String greet(String whom) {
            return "Hello, " + whom;
        }
    }

    static class MethodBesideInterface implements Consumer<String> {

        @Override
        @LeaderOnly
        public void accept(String value) {}

        @LeaderOnly
        public void beside() {}
    }

    static class PrivateMethod {

        @LeaderOnly
        private void hidden() {}
    }

    static class FinalMethod {

        @LeaderOnly
        public final void fixed() {}
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
    static class HelpersInAnnotatedClass {

        Integer number() {
            return one() + two();
        }

        private int one() {
            return 1;
        }

        static int two() {
            return 2;
        }
    }

    static class Primitive {

        @LeaderOnly
        public int count() {
            return 1;
        }
    }

    @LeaderOnly
    static class PrimitiveInAnnotatedClass {

        public boolean ready() {
            return true;
        }
    }

    static class Listener {

        @LeaderOnly
        public void on(LeaderAcquiredEvent event) {}
    }

    /** Stands for {@code @Transactional}: an interceptor of an auto-proxy creator. */
    static class AutoProxy {

        @Bean
        static DefaultPointcutAdvisor transaction(ObjectProvider<StubNeli> neli) {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.addMethodName("number");
            pointcut.addMethodName("greet");
            return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) invocation -> {
                neli.getObject().calls.add("transaction begins");
                Object result = invocation.proceed();
                neli.getObject().calls.add("transaction ends");
                return result;
            });
        }

        static DefaultAdvisorAutoProxyCreator creator(boolean proxyTargetClass) {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(proxyTargetClass);
            creator.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return creator;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClassAutoProxy extends AutoProxy {

        @Bean
        static DefaultAdvisorAutoProxyCreator creator() {
            return creator(true);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InterfaceAutoProxy extends AutoProxy {

        @Bean
        static DefaultAdvisorAutoProxyCreator creator() {
            return creator(false);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class AsyncSetup {

        @Bean
        Executor taskExecutor(StubNeli neli) {
            return new TaskExecutorAdapter(task -> {
                neli.calls.add("submit");
                new Thread(task).start();
            });
        }
    }

    static class AsyncJob {

        private final StubNeli neli;

        AsyncJob(StubNeli neli) {
            this.neli = neli;
        }

        @Async
        @LeaderOnly
        public CompletableFuture<String> work() {
            neli.calls.add("work");
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class RetrySetup {}

    static class RetriedJob {

        private final StubNeli neli;

        RetriedJob(StubNeli neli) {
            this.neli = neli;
        }

        @Retryable(delay = 1)
        @LeaderOnly
        public void work() {
            neli.calls.add("attempt");
            neli.lead(false);
            throw new IllegalStateException("fenced");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class SchedulingSetup {}

    static class ScheduledJob {

        final AtomicBoolean ran = new AtomicBoolean();

        @Scheduled(fixedDelay = 1)
        @LeaderOnly
        void tick() {
            ran.set(true);
        }

        boolean hasRun() {
            return ran.get();
        }
    }
}
