package io.neli.spring.lifecycle;

import java.lang.Thread.State;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class StartWhenLeadingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, NeliAutoConfiguration.class, StartWhenLeadingAutoConfiguration.class))
            .withBean(StubNeli.class, StubNeli::standby);

    @Test
    void it_runs_from_the_beginning_of_the_lead_to_its_end() {
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
            assertThat(context.getBean(Listener.class).heard)
                    .containsExactly("LeaderAcquired, running: false", "LeaderRevoked, running: false");
        });
    }

    @Test
    void no_start_of_the_context_starts_it_without_the_lead() {
        runner.withBean(Poller.class).withBean("plain", Plain.class).run(context -> {
            ConfigurableApplicationContext started = context.getSourceApplicationContext();
            started.start();
            started.stop();
            started.start();
            started.pause();
            started.restart();
            context.getBean(Poller.class).start();

            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            assertThat(context.getBean(Poller.class).isAutoStartup()).isFalse();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isFalse();
        });
    }

    @Test
    void a_bean_that_ran_before_a_pause_is_not_restarted_without_the_lead() {
        runner.withBean(Poller.class).run(context -> {
            acquire(context);
            revoke(context);
            context.getSourceApplicationContext().pause();
            context.getSourceApplicationContext().restart();
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
        });
    }

    @Test
    void whoever_has_stopped_it_may_start_it_again_while_it_is_led() {
        runner.withBean(Poller.class).run(context -> {
            acquire(context);
            context.getBean(Poller.class).stop();
            context.getBean(Poller.class).start();
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            assertThat(context.getBean(StubNeli.class).work()).containsExactly("begin", "end");
        });
    }

    @Test
    void one_that_was_started_by_hand_while_the_lead_was_lost_is_stopped_again() {
        runner.withBean(Losing.class).run(context -> {
            context.getBean(StubNeli.class).lead(true);
            context.getBean(Losing.class).start();
            assertThat(context.getBean(Losing.class).starts()).isEqualTo(1);
            assertThat(context.getBean(Losing.class).isRunning()).isFalse();
        });
    }

    @Test
    void where_the_lead_is_lost_while_one_starts_the_next_are_not_started() {
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
                .withConfiguration(AutoConfigurations.of(
                        KafkaAutoConfiguration.class,
                        NeliAutoConfiguration.class,
                        StartWhenLeadingAutoConfiguration.class))
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
            tell(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            context.getBean(StubNeli.class).lead(true);
            tell(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN - 1));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
        });
    }

    @Test
    void an_event_of_another_partition_does_not_concern_it() {
        runner.withBean(Poller.class).run(context -> {
            context.getBean(StubNeli.class).lead(true);
            tell(context, new LeaderAcquired("reports", 1, StubNeli.TOKEN));
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
            acquire(context);
            tell(context, new LeaderRevoked("reports", 1, StubNeli.TOKEN, RevokeReason.RESIGNED));
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
        });
    }

    @Test
    void it_may_stand_on_a_bean_method_and_within_an_annotation_of_ones_own_and_name_a_role() {
        runner.withUserConfiguration(BeanMethod.class)
                .withBean(WithOwnAnnotation.class)
                .withPropertyValues("billing.role=invoices")
                .run(context -> {
                    acquire(context);
                    assertThat(context.getBean("made", Lifecycle.class).isRunning())
                            .isTrue();
                    assertThat(context.getBean(WithOwnAnnotation.class).isRunning())
                            .isTrue();
                    context.getBean(WithOwnAnnotation.class).stop();
                    context.getBean(WithOwnAnnotation.class).start();
                    assertThat(context.getBean(StubNeli.class).work()).containsExactly("begin invoices", "end");
                });
    }

    @Test
    void a_class_that_cannot_be_extended_is_guarded_by_its_interface() {
        runner.withBean("final", FinalPoller.class).run(context -> {
            SmartLifecycle bean = context.getBean("final", SmartLifecycle.class);
            assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
            bean.start();
            assertThat(bean.isRunning()).isFalse();
            acquire(context);
            assertThat(bean.isRunning()).isTrue();
        });
        runner.withBean("sealed", SealedPoller.class).run(context -> {
            acquire(context);
            assertThat(context.getBean("sealed", SmartLifecycle.class).isRunning())
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
    void what_does_not_stop_in_time_is_named_and_is_not_started_again_before_it_has(CapturedOutput output) {
        CountDownLatch release = new CountDownLatch(1);
        runner.withBean(Hanging.class, release)
                .withPropertyValues("neli.handover-timeout=50ms")
                .run(context -> {
                    acquire(context);
                    revoke(context);
                    assertThat(output)
                            .contains("Still running after neli.handover-timeout, 'PT0.05S'")
                            .contains("bean '" + context.getBeanNamesForType(Hanging.class)[0] + "'");
                    assertThatThrownBy(() -> acquire(context))
                            .hasMessageContaining("still runs from an earlier term")
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
    void a_handover_waits_also_for_a_stop_that_others_have_asked_for() {
        CountDownLatch release = new CountDownLatch(1);
        List<String> journal = new CopyOnWriteArrayList<>();
        runner.withBean(StoppingAside.class, release, journal).run(context -> {
            acquire(context);
            context.getBean(StoppingAside.class).stop(() -> {});
            Thread handover = new Thread(() -> {
                revoke(context);
                journal.add("revoked");
            });
            handover.start();
            await().atMost(PATIENCE)
                    .until(handover::getState, state -> state == State.TIMED_WAITING || state == State.TERMINATED);
            release.countDown();
            handover.join();

            assertThat(journal).containsExactly("stopped", "revoked");
        });
    }

    @Test
    void a_fence_is_told_to_the_others_before_a_stop_is_waited_for() {
        CountDownLatch release = new CountDownLatch(1);
        List<String> journal = new CopyOnWriteArrayList<>();
        LeaderListener other = event -> {
            if (event instanceof LeaderFenced) {
                journal.add("told");
                release.countDown();
            }
        };
        runner.withBean(StoppingAside.class, release, journal)
                .withBean("other", LeaderListener.class, () -> other)
                .run(context -> {
                    acquire(context);
                    fence(context);

                    assertThat(journal).containsExactly("told", "stopped");
                });
    }

    @Test
    void a_child_context_follows_the_election_of_its_parent() {
        runner.run(parent -> {
            acquire(parent);
            ApplicationContextRunner child = new ApplicationContextRunner()
                    .withParent(parent)
                    .withConfiguration(AutoConfigurations.of(
                            KafkaAutoConfiguration.class,
                            NeliAutoConfiguration.class,
                            StartWhenLeadingAutoConfiguration.class))
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
            acquire(parent); // the child's components have gone with it
        });
    }

    @Test
    void a_bean_that_is_created_late_starts_if_it_is_led_already() {
        runner.withUserConfiguration(LazyPlain.class).run(context -> {
            acquire(context);
            assertThat(context.getBean("plain", Plain.class).isRunning()).isTrue();
        });
    }

    @Test
    void disabled_it_never_runs_or_runs_as_if_it_were_not_there() {
        ApplicationContextRunner disabled = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        KafkaAutoConfiguration.class,
                        NeliAutoConfiguration.class,
                        StartWhenLeadingAutoConfiguration.class))
                .withPropertyValues("neli.enabled=false")
                .withBean(Poller.class)
                .withBean("plain", Plain.class);

        disabled.run(context -> {
            context.getSourceApplicationContext().start();
            assertThat(context.getBean(Poller.class).isRunning()).isFalse();
        });
        disabled.withPropertyValues("neli.when-disabled=run").run(context -> {
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isFalse(); // as Spring has it with Lifecycle
            context.getSourceApplicationContext().start();
            assertThat(context.getBean("plain", Plain.class).isRunning()).isTrue();
        });
    }

    @Test
    void it_is_refused_on_a_method_that_nothing_starts() {
        assertRefused(OnMethod.class, "OnMethod.work()", "neither a @KafkaListener nor a @Bean", "@LeaderOnly gates");
    }

    @Test
    void it_is_refused_on_a_bean_that_cannot_be_started() {
        assertRefused(OnClass.class, "OnClass", "implements neither Lifecycle nor SmartLifecycle", "Implement one");
    }

    @Test
    void it_is_refused_on_a_prototype() {
        runner.withUserConfiguration(Prototype.class).run(context -> assertThatThrownBy(() -> context.getBean("made"))
                .hasStackTraceContaining("bean 'made'")
                .hasStackTraceContaining("not a singleton"));
    }

    @Test
    void it_is_refused_beside_leader_only() {
        assertRefused(Both.class, "Both", "@LeaderOnly too", "Remove one of the two");
    }

    @Test
    void it_is_refused_with_a_role_that_nothing_resolves() {
        assertRefused(WithOwnAnnotation.class, "WithOwnAnnotation", "nothing resolves", "'${billing.role}'");
        assertRefused(BlankRole.class, "BlankRole", "its role ' ' is blank", "Name a role");
    }

    private void assertRefused(Class<?> configuration, String... words) {
        runner.withUserConfiguration(configuration).run(context -> {
            for (String word : words) {
                assertThat(context).getFailure().hasStackTraceContaining(word);
            }
        });
    }

    private static void acquire(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(true);
        tell(context, new LeaderAcquired(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN));
    }

    private static void revoke(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(false);
        tell(context, new LeaderRevoked(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN, RevokeReason.RESIGNED));
    }

    private static void fence(ApplicationContext context) {
        context.getBean(StubNeli.class).lead(false);
        tell(context, new LeaderFenced(Neli.DEFAULT_ROLE, 0, StubNeli.TOKEN, FenceReason.LEASE_EXPIRED));
    }

    private static void tell(ApplicationContext context, LeaderEvent event) {
        context.getBeanProvider(LeaderListener.class).orderedStream().forEach(listener -> listener.onEvent(event));
    }

    @StartWhenLeading
    static class Plain implements Lifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @StartWhenLeading
    static class Poller extends Plain implements SmartLifecycle {}

    @StartWhenLeading
    static final class FinalPoller extends Plain implements SmartLifecycle {}

    @StartWhenLeading
    static class SealedPoller implements SmartLifecycle {

        private final AtomicBoolean running = new AtomicBoolean();

        @Override
        public void start() {
            running.set(true);
        }

        @Override
        public void stop() {
            running.set(false);
        }

        @Override
        public final boolean isRunning() {
            return running.get();
        }
    }

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

    /** Loses the lead while it starts. */
    static class Losing extends Poller {

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

    static class Hanging extends Poller {

        private final CountDownLatch release;

        Hanging(CountDownLatch release) {
            this.release = release;
        }

        @Override
        public void stop() {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            super.stop();
        }
    }

    /** Says at once that it does not run, and is still at it. */
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
    static class Failing extends Plain implements SmartLifecycle {

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
    static class WithOwnAnnotation implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

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

    static class Unannotated implements SmartLifecycle {

        private final String name;
        private final List<String> journal;
        private final int phase;
        private volatile boolean running;

        Unannotated(int phase, List<String> journal) {
            this.name = Integer.toString(phase);
            this.phase = phase;
            this.journal = journal;
        }

        @Override
        public void start() {
            journal.add("start " + name);
            running = true;
        }

        @Override
        public void stop() {
            journal.add("stop " + name);
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return phase;
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
    static class LazyPlain {

        @Bean
        @Lazy
        Plain plain() {
            return new Plain();
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

        final List<String> heard = new CopyOnWriteArrayList<>();

        @Bean
        LeaderListener listener(Poller poller) {
            return event -> heard.add(event.getClass().getSimpleName() + ", running: " + poller.isRunning());
        }
    }
}
