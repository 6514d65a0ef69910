package io.neli.spring.gate;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.Startable;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(240)
class StartWhenLeadingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final AutoConfigurations AUTO_CONFIGURATION = AutoConfigurations.of(
            KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class);

    private static final int LAST = Integer.MAX_VALUE;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AUTO_CONFIGURATION)
            .withBean(StubNeli.class, StubNeli::standby);

    @Test
    void it_runs_from_the_beginning_of_a_term_to_its_end() {
        runner.withBean(Poller.class).run(context -> {
            Poller poller = context.getBean(Poller.class);
            assertThat(poller.isRunning()).isFalse();

            acquire(context);
            assertThat(poller.isRunning()).isTrue();
            revoke(context);
            assertThat(poller.isRunning()).isFalse();

            acquire(context);
            assertThat(poller.isRunning()).isTrue();
            fence(context);
            assertThat(poller.isRunning()).isFalse();
        });
    }

    @Test
    void it_starts_after_the_listeners_have_prepared_and_stops_before_they_clean_up() {
        runner.withBean(Poller.class).withUserConfiguration(Listener.class).run(context -> {
            acquire(context);
            revoke(context);
            assertThat(context.getBean(Listener.class).received)
                    .containsExactly("LeaderAcquired, running: false", "LeaderRevoked, running: false");
        });
    }

    @Test
    void where_leadership_is_lost_while_one_starts_the_next_are_not_started() {
        runner.withBean(Losing.class).withBean("next", Poller.class).run(context -> {
            acquire(context);
            assertThat(context.getBean("next", Poller.class).isRunning()).isFalse();
            fence(context);
            assertThat(context.getBean(Losing.class).isRunning()).isFalse();
        });
    }

    @Test
    void what_starts_while_its_context_stops_is_stopped_again() {
        runner.run(parent -> new ApplicationContextRunner()
                .withParent(parent)
                .withConfiguration(AUTO_CONFIGURATION)
                .withBean(Poller.class)
                .withBean(StoppedLast.class, () -> new StoppedLast(() -> acquire(parent)))
                .run(context -> {
                    context.getSourceApplicationContext().stop();
                    assertThat(parent.getBean(StubNeli.class).isLeader()).isTrue();
                    assertThat(context.getBean(Poller.class).isRunning()).isFalse();
                }));
    }

    @Test
    void an_event_that_comes_late_starts_nothing() {
        runner.withBean(Poller.class).run(context -> {
            notify(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            context.getBean(StubNeli.class).lead(true);
            notify(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN - 1));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
        });
    }

    @Test
    void an_event_of_another_partition_does_not_concern_it() {
        runner.withBean(Poller.class).run(context -> {
            context.getBean(StubNeli.class).lead(true);
            notify(context, new LeaderAcquired("reports", 1, StubNeli.TOKEN));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            acquire(context);
            notify(context, new LeaderRevoked("reports", 1, StubNeli.TOKEN, RevokeReason.RESIGNED));
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
        });
    }

    @Test
    void it_may_be_on_a_bean_method_and_on_an_annotation_of_the_application_and_name_a_role() {
        runner.withUserConfiguration(BeanMethod.class)
                .withBean(WithOwnAnnotation.class)
                .withPropertyValues("billing.role=invoices")
                .run(context -> {
                    acquire(context);
                    assertThat(context.getBean("made", Lifecycle.class).isRunning())
                            .isTrue();
                    assertThat(context.getBean(WithOwnAnnotation.class).isRunning())
                            .isTrue();
                });
    }

    @Test
    void several_start_and_stop_in_the_order_of_their_phases() {
        runner.withUserConfiguration(Phases.class).run(context -> {
            acquire(context);
            revoke(context);
            assertThat(context.getBean(Phases.class).journal)
                    .containsExactly("start -5", "start 0", "start 7", "stop 7", "stop 0", "stop -5");
        });
    }

    @Test
    void what_fails_to_start_fails_the_event_and_those_before_it_are_stopped() {
        runner.withUserConfiguration(Phases.class).withBean(Failing.class).run(context -> {
            assertThatThrownBy(() -> acquire(context)).hasMessage("no port");
            assertThat(context.getBean(Phases.class).journal)
                    .containsExactly("start -5", "start 0", "start 7", "stop 7", "stop 0", "stop -5");
        });
    }

    @Test
    void what_fails_to_stop_is_named_and_is_started_again_whatever_it_throws(CapturedOutput output) {
        runner.withBean(Broken.class).run(context -> {
            acquire(context);
            revoke(context);
            assertThat(output).contains("has failed to stop").contains("as from Kotlin");
            acquire(context);
            assertThat(context.getBean(Broken.class).isRunning()).isTrue();
        });
    }

    @Test
    void what_does_not_stop_in_time_is_named_and_is_not_started_again_before_it_has(CapturedOutput output) {
        CountDownLatch release = new CountDownLatch(1);
        runner.withBean(Hanging.class, release).run(context -> {
            context.getBean(StubNeli.class).handoverTimeout(Duration.ofMillis(50));
            acquire(context);
            revoke(context);
            assertThat(output)
                    .contains("Still running, though another member may lead now: [bean '"
                            + context.getBeanNamesForType(Hanging.class)[0] + "'")
                    .contains("raise neli.handover-timeout, which is '50ms'");
            assertThatThrownBy(() -> acquire(context))
                    .hasMessageContaining("is still running from an earlier term")
                    .hasMessageContaining("neli.handover-timeout");

            release.countDown();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                            context.getBean(Hanging.class).isRunning())
                    .isFalse());
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                acquire(context);
                return context.getBean(Hanging.class).isRunning();
            });
        });
    }

    @Test
    void after_a_fence_the_others_are_notified_before_a_stop_is_waited_for() {
        CountDownLatch release = new CountDownLatch(1);
        List<String> journal = new CopyOnWriteArrayList<>();
        LeaderListener other = event -> {
            if (event instanceof LeaderFenced) {
                journal.add("notified");
                release.countDown();
            }
        };
        runner.withBean(StoppingAside.class, release, journal)
                .withBean("other", LeaderListener.class, () -> other)
                .run(context -> {
                    acquire(context);
                    fence(context);

                    assertThat(journal).containsExactly("notified", "stopped");
                });
    }

    /** Listeners get one event at a time, and the stop of the first role holds up the event of the second. */
    @Test
    void of_two_roles_one_that_is_fenced_stops_while_the_other_is_waited_for() {
        CountDownLatch release = new CountDownLatch(1);
        new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATION)
                .withUserConfiguration(TwoRoles.class)
                .withBean(HangingOfFirst.class, release)
                .withBean(OfSecond.class)
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    Hanging first = context.getBean(Hanging.class);
                    OfSecond second = context.getBean(OfSecond.class);
                    neli.acquire();

                    Executor threads = task -> new Thread(task).start(); // both wait, and the common pool may have one
                    CompletableFuture<Void> revoke = CompletableFuture.runAsync(() -> neli.revoke("first"), threads);
                    await().atMost(PATIENCE).until(() -> first.asked);
                    assertThat(second.isRunning()).isTrue();
                    CompletableFuture<Void> fence = CompletableFuture.runAsync(() -> neli.fence("second"), threads);
                    await().atMost(PATIENCE).until(() -> !second.isRunning());
                    assertThat(first.isRunning()).isTrue();
                    release.countDown();
                    assertThat(CompletableFuture.allOf(revoke, fence)).succeedsWithin(PATIENCE);
                });
    }

    @Test
    void a_child_context_follows_the_election_of_its_parent() {
        runner.run(parent -> {
            acquire(parent);
            ApplicationContextRunner child = new ApplicationContextRunner()
                    .withParent(parent)
                    .withConfiguration(AUTO_CONFIGURATION)
                    .withBean(Poller.class);
            child.run(context -> {
                assertThat(context.getBean(Poller.class).isRunning()).isTrue();
                revoke(parent);
                assertThat(context.getBean(Poller.class).isRunning()).isFalse();
                acquire(parent);
                assertThat(context.getBean(Poller.class).isRunning()).isTrue();

                context.getSourceApplicationContext().stop();
                revoke(parent);
                acquire(parent);
                assertThat(context.getBean(Poller.class).isRunning()).isFalse();
                context.getSourceApplicationContext().start();
                assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            });
            revoke(parent);
            acquire(parent); // must not start components of the closed child
        });
    }

    /** Its events reach only the listeners that were added to it. */
    @Test
    void a_component_is_refused_if_its_parent_has_just_an_election() {
        new ApplicationContextRunner()
                .withBean(StubNeli.class, StubNeli::standby)
                .run(parent -> new ApplicationContextRunner()
                        .withParent(parent)
                        .withConfiguration(AUTO_CONFIGURATION)
                        .withBean(Poller.class)
                        .run(context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .isInstanceOf(NeliException.class)
                                .hasMessageContainingAll("Poller", "parent context", "auto-configuration")));
    }

    /** Spring creates it for another post processor, before any bean is processed. */
    @Test
    void a_bean_that_is_created_early_follows_leadership() {
        runner.withBean(Poller.class).withBean(NeedsThePoller.class).run(context -> {
            acquire(context);
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
        });
    }

    static class NeedsThePoller implements BeanPostProcessor, Ordered {

        NeedsThePoller(Poller poller) {
            assertThat(poller).isNotNull();
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Test
    void a_bean_that_is_created_late_starts_if_it_is_led_already() {
        runner.withUserConfiguration(LazyPlain.class).run(context -> {
            acquire(context);
            assertThat(context.getBean("plain", Plain.class).isRunning()).isTrue();
        });
    }

    @Test
    void a_bean_that_the_application_removes_is_stopped_and_does_not_start_again() {
        runner.withBean("poller", Poller.class).run(context -> {
            Poller poller = context.getBean(Poller.class);
            acquire(context);
            ((BeanDefinitionRegistry) context.getBeanFactory()).removeBeanDefinition("poller");

            revoke(context);
            assertThat(poller.isRunning()).isFalse();
            acquire(context);
            assertThat(poller.isRunning()).isFalse();
        });
    }

    @Test
    void a_bean_that_the_application_replaces_does_not_start_again() {
        runner.withBean("poller", Poller.class).run(context -> {
            Poller replaced = context.getBean(Poller.class);
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
            registry.removeBeanDefinition("poller");
            registry.registerBeanDefinition("poller", new RootBeanDefinition(Poller.class));
            Poller poller = context.getBean(Poller.class);

            acquire(context);

            assertThat(poller.isRunning()).isTrue();
            assertThat(replaced.isRunning()).isFalse();
        });
    }

    @Test
    void a_bean_that_another_creates_when_it_starts_is_started_too() {
        new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATION)
                .withUserConfiguration(Fake.class, LazyPlain.class)
                .withBean(Creating.class)
                .run(context -> {
                    context.getBean(FakeNeli.class).acquire();
                    assertThat(context.getBean("plain", Plain.class).isRunning())
                            .isTrue();
                });
    }

    @Test
    void a_bean_that_is_created_late_is_stopped_again_if_leadership_is_lost_while_it_starts() {
        runner.withUserConfiguration(LazyLosing.class).run(context -> {
            acquire(context);
            Losing losing = context.getBean(Losing.class);
            assertThat(losing.starts()).isEqualTo(1);
            assertThat(losing.isRunning()).isFalse();
        });
    }

    @Test
    void a_bean_that_is_created_late_is_stopped_again_if_its_context_stops_while_it_starts() {
        runner.run(parent -> {
            acquire(parent);
            new ApplicationContextRunner()
                    .withParent(parent)
                    .withConfiguration(AUTO_CONFIGURATION)
                    .withUserConfiguration(LazyStopping.class)
                    .run(context -> {
                        assertThat(context.getBean(Stopping.class).isRunning()).isFalse();
                        assertThat(parent.getBean(StubNeli.class).isLeader()).isTrue();
                    });
        });
    }

    @Test
    void a_context_stops_the_election_before_the_beans_of_the_same_phase_and_does_not_restart_them() {
        List<String> journal = new CopyOnWriteArrayList<>();
        new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATION)
                .withUserConfiguration(Fake.class)
                .withUserConfiguration(LastPhaseBean.class)
                .withBean(Journal.class, () -> new Journal(journal))
                .run(context -> {
                    context.getBean(FakeNeli.class).acquire();
                    context.getSourceApplicationContext().pause();
                    context.getSourceApplicationContext().restart();
                    assertThat(context.getBean(FakeNeli.class).isLeader()).isFalse();
                    assertThat(journal).containsExactly("start " + LAST, "stop " + LAST, "while it leads: false");
                });
    }

    /** Spring starts every Lifecycle bean when a context is started, even if it does not start by itself. */
    @Test
    void a_context_that_is_started_again_runs_nothing_that_is_not_led() {
        runner.withBean(Poller.class).withBean("plain", Plain.class).run(context -> {
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isFalse();

            acquire(context);
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
        });
    }

    @Test
    void disabled_it_never_runs_or_runs_as_on_a_leader() {
        ApplicationContextRunner disabled = new ApplicationContextRunner()
                .withConfiguration(AUTO_CONFIGURATION)
                .withPropertyValues("neli.enabled=false")
                .withBean(Poller.class)
                .withBean("plain", Plain.class);

        disabled.run(context -> {
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isFalse();
        });
        disabled.withPropertyValues("neli.when-disabled=run").run(context -> {
            Plain plain = context.getBean("plain", Plain.class);
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            assertThat(plain.isRunning()).isTrue();
            context.getSourceApplicationContext().stop();
            assertThat(plain.isRunning()).isFalse();
            context.getSourceApplicationContext().start();
            assertThat(plain.isRunning()).isTrue();
        });
    }

    @Test
    void it_is_refused_on_a_bean_that_starts_by_itself() {
        assertRefused(AutoStarting.class, "AutoStarting", "it starts by itself", "return false from isAutoStartup()");
    }

    @Test
    void it_is_refused_on_a_method_that_nothing_starts() {
        assertRefused(OnMethod.class, "OnMethod.work()", "neither a @KafkaListener nor a @Bean", "use @LeaderOnly");
    }

    @Test
    void it_is_refused_on_a_bean_that_cannot_be_started() {
        assertRefused(OnClass.class, "OnClass", "implements neither Lifecycle nor SmartLifecycle", "implement one");
    }

    @Test
    void it_is_refused_on_a_bean_that_spring_starts_as_a_dependency_of_another() {
        assertRefused(
                Dependency.class,
                "bean 'plain'",
                "a bean that starts by itself depends on it",
                "implement SmartLifecycle");
    }

    @Test
    void neither_kind_is_started_by_the_refresh_of_the_context() {
        runner.withBean(Poller.class).withBean("plain", Plain.class).run(context -> {
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isFalse();
        });
    }

    @Test
    void it_is_refused_on_a_prototype() {
        runner.withUserConfiguration(Prototype.class).run(context -> assertThatThrownBy(() -> context.getBean("made"))
                .hasStackTraceContaining("bean 'made'")
                .hasStackTraceContaining("not a singleton"));
    }

    @Test
    void it_is_refused_together_with_leader_only() {
        assertRefused(Both.class, "Both", "@LeaderOnly too", "remove one of the two");
    }

    @Test
    void it_is_refused_with_a_role_that_is_blank_or_has_no_value() {
        assertRefused(WithOwnAnnotation.class, "WithOwnAnnotation", "'${billing.role}' has no value");
        assertRefused(BlankRole.class, "BlankRole", "its role ' ' is blank", "name a role");
    }

    private void assertRefused(Class<?> configuration, String... words) {
        runner.withUserConfiguration(configuration).run(context -> {
            for (String word : words) {
                assertThat(context).getFailure().hasStackTraceContaining(word);
            }
        });
    }

    private static void acquire(ApplicationContext context) {
        long token = context.getBean(StubNeli.class).nextTerm();
        notify(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, token));
    }

    private static void revoke(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(false);
        notify(context, new LeaderRevoked(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN, RevokeReason.RESIGNED));
    }

    private static void fence(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(false);
        notify(context, new LeaderFenced(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN, FenceReason.LEASE_EXPIRED));
    }

    private static void notify(ApplicationContext context, LeaderEvent event) {
        context.getBeanProvider(LeaderListener.class).orderedStream().forEach(listener -> listener.onEvent(event));
    }

    @StartWhenLeading
    static class Plain extends Startable {}

    @StartWhenLeading
    static class Poller extends Plain implements SmartLifecycle {

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }

    @StartWhenLeading
    static class AutoStarting extends Plain implements SmartLifecycle {}

    private record StoppedLast(Runnable stopping, AtomicBoolean running) implements SmartLifecycle {

        StoppedLast(Runnable stopping) {
            this(stopping, new AtomicBoolean());
        }

        @Override
        public void start() {
            running.set(true);
        }

        @Override
        public void stop() {
            stopping.run();
            running.set(false);
        }

        @Override
        public boolean isRunning() {
            return running.get();
        }

        @Override
        public int getPhase() {
            return -1;
        }
    }

    /** Loses leadership while it is starting. */
    static class Losing extends Plain {

        private final StubNeli neli;
        private final AtomicInteger starts = new AtomicInteger();

        Losing(StubNeli neli) {
            this.neli = neli;
        }

        @Override
        public void start() {
            starts.incrementAndGet();
            neli.lead(false);
            super.start();
        }

        int starts() {
            return starts.get();
        }
    }

    /** Its context stops while it is starting. */
    static class Stopping extends Plain {

        private final ConfigurableApplicationContext context;

        Stopping(ConfigurableApplicationContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            context.stop();
            super.start();
        }
    }

    /** Creates a lazy bean when it starts. */
    static class Creating extends Poller {

        private final ObjectProvider<Plain> lazy;

        Creating(@Qualifier("plain") ObjectProvider<Plain> lazy) {
            this.lazy = lazy;
        }

        @Override
        public void start() {
            lazy.getObject();
            super.start();
        }
    }

    @StartWhenLeading
    static class Broken extends Poller {

        @Override
        public void stop() {
            super.stop();
            Broken.<RuntimeException>sneak(new IOException("as from Kotlin"));
        }

        @SuppressWarnings("unchecked")
        private static <E extends Exception> void sneak(Exception failure) throws E {
            throw (E) failure;
        }
    }

    static class Hanging extends Poller {

        private final CountDownLatch release;
        private volatile boolean asked;

        Hanging(CountDownLatch release) {
            this.release = release;
        }

        @Override
        public void stop() {
            asked = true;
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            super.stop();
        }
    }

    @StartWhenLeading(role = "first")
    static class HangingOfFirst extends Hanging {

        HangingOfFirst(CountDownLatch release) {
            super(release);
        }
    }

    @StartWhenLeading(role = "second")
    static class OfSecond extends Poller {}

    @Configuration(proxyBeanMethods = false)
    static class TwoRoles {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder()
                    .roles("first", "second")
                    .leading(false)
                    .handoverTimeout(PATIENCE.multipliedBy(3))
                    .build();
        }
    }

    /** Claims immediately that it is not running, although it still is. */
    static class StoppingAside extends Poller {

        private final CountDownLatch release;

        private final List<String> journal;

        StoppingAside(CountDownLatch release, List<String> journal) {
            this.release = release;
            this.journal = journal;
        }

        @Override
        public void stop(Runnable callback) {
            stop();
            CompletableFuture.runAsync(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                journal.add("stopped");
                callback.run();
            });
        }
    }

    @StartWhenLeading
    static class Failing extends Poller {

        @Override
        public void start() {
            throw new IllegalStateException("no port");
        }

        @Override
        public int getPhase() {
            return 8;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @StartWhenLeading(role = "${billing.role}")
    @interface OwnAnnotation {}

    @OwnAnnotation
    static class WithOwnAnnotation extends Startable {}

    @StartWhenLeading(role = " ")
    static class BlankRole extends Poller {}

    @StartWhenLeading
    static class OnClass {}

    @StartWhenLeading
    @LeaderOnly
    static class Both extends Poller {}

    static class OnMethod {

        @StartWhenLeading
        void work() {}
    }

    static class Unannotated extends Startable implements SmartLifecycle {

        private final String name;
        private final List<String> journal;
        private final int phase;

        Unannotated(int phase, List<String> journal) {
            this.name = Integer.toString(phase);
            this.phase = phase;
            this.journal = journal;
        }

        @Override
        public void start() {
            journal.add("start " + name);
            super.start();
        }

        @Override
        public void stop() {
            journal.add("stop " + name);
            super.stop();
        }

        @Override
        public int getPhase() {
            return phase;
        }

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }

    @StartWhenLeading
    static class LastPhase extends Unannotated {

        private final Neli neli;
        private final List<String> journal;

        LastPhase(List<String> journal, Neli neli) {
            super(LAST, journal);
            this.journal = journal;
            this.neli = neli;
        }

        @Override
        public void stop() {
            super.stop();
            journal.add("while it leads: " + neli.isLeader());
        }
    }

    private record Journal(List<String> entries) {}

    @Configuration(proxyBeanMethods = false)
    static class LastPhaseBean {

        @Bean
        LastPhase lastPhase(Journal journal, Neli neli) {
            return new LastPhase(journal.entries(), neli);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Fake {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BeanMethod {

        @Bean
        @StartWhenLeading
        SmartLifecycle made() {
            return new Unannotated(0, new CopyOnWriteArrayList<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {

        @Bean
        @Scope("prototype")
        @StartWhenLeading
        SmartLifecycle made() {
            return new Unannotated(0, new CopyOnWriteArrayList<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Dependency {

        @Bean
        Plain plain() {
            return new Plain();
        }

        @Bean
        SmartLifecycle startsByItself(Plain plain) {
            return new StoppedLast(plain::isRunning);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyPlain {

        @Bean
        @Lazy
        Plain plain() {
            return new Plain();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyStopping {

        @Bean
        @Lazy
        Stopping stopping(ConfigurableApplicationContext context) {
            return new Stopping(context);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyLosing {

        @Bean
        @Lazy
        Losing losing(StubNeli neli) {
            return new Losing(neli);
        }
    }

    @Configuration
    static class Phases {

        final List<String> journal = new CopyOnWriteArrayList<>();

        @Bean
        @StartWhenLeading
        SmartLifecycle middle() {
            return new Unannotated(0, journal);
        }

        @Bean
        @StartWhenLeading
        SmartLifecycle last() {
            return new Unannotated(7, journal);
        }

        @Bean
        @StartWhenLeading
        SmartLifecycle first() {
            return new Unannotated(-5, journal);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listener {

        final List<String> received = new CopyOnWriteArrayList<>();

        @Bean
        LeaderListener listener(Poller poller) {
            return event -> received.add(event.getClass().getSimpleName() + ", running: " + poller.isRunning());
        }
    }
}
