package io.neli.spring.gate;

import io.neli.spring.StartWhenLeading;
import io.neli.spring.Startable;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Components of an early role, while the events of later roles of the same partition and term are still to come. */
class LateStartWhenLeadingTest {

    private final ApplicationContextRunner any = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class));

    private final ApplicationContextRunner runner = any.withUserConfiguration(Three.class);

    @Test
    void a_lazy_bean_that_is_created_after_the_event_of_its_role_starts() {
        runner.withBean(CreatingOfSecond.class).run(context -> {
            context.getBean(FakeNeli.class).acquire();
            assertThat(context.getBean("plain", OfFirst.class).isRunning()).isTrue();
        });
    }

    /** Work cannot begin before that listener has returned. */
    @Test
    void a_lazy_bean_that_a_later_listener_creates_starts() {
        runner.run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.addListener(event -> {
                if (event.role().equals("third")) {
                    context.getBean("plain");
                }
            });
            neli.acquire();
            assertThat(context.getBean("plain", OfFirst.class).isRunning()).isTrue();
            neli.revoke();
            assertThat(context.getBean("plain", OfFirst.class).isRunning()).isFalse();
        });
    }

    @Test
    void a_lazy_bean_that_fails_does_not_keep_another_from_starting() {
        runner.withBean("failing", Failing.class, Failing::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    FakeNeli neli = context.getBean(FakeNeli.class);
                    neli.addListener(event -> {
                        if (event.role().equals("third")) {
                            context.getBean("failing");
                            context.getBean("plain");
                        }
                    });
                    neli.acquire();
                    assertThat(context.getBean("failing", Failing.class).starts).isOne();
                    assertThat(context.getBean("plain", OfFirst.class).isRunning())
                            .isTrue();
                });
    }

    @Test
    void a_component_that_ends_by_itself_starts_once_in_each_term() {
        runner.withBean(OneShot.class).run(context -> {
            FakeNeli neli = context.getBean(FakeNeli.class);
            neli.acquire();
            assertThat(context.getBean(OneShot.class).starts).isOne();
            neli.revoke();
            neli.acquire();
            assertThat(context.getBean(OneShot.class).starts).isEqualTo(2);
        });
    }

    @Test
    void it_does_so_too_if_the_term_begins_while_the_context_starts() {
        any.withUserConfiguration(Leading.class).withBean(OneShot.class).run(context -> {
            assertThat(context.getBean(FakeNeli.class).isLeader()).isTrue();
            assertThat(context.getBean(OneShot.class).starts).isOne();
        });
    }

    @Test
    void a_component_that_fails_to_start_is_asked_once_in_a_term() {
        runner.withBean(Failing.class).run(context -> {
            assertThatThrownBy(context.getBean(FakeNeli.class)::acquire).hasStackTraceContaining("meant to fail");
            assertThat(context.getBean(Failing.class).starts).isOne();
        });
    }

    @Test
    void a_component_that_was_stopped_stays_stopped_for_the_term() {
        runner.withBean(StoppingFirst.class).run(context -> {
            context.getBean(FakeNeli.class).acquire();
            assertThat(context.getBean(StoppingFirst.class).stopped).isTrue();
            assertThat(context.getBean("plain", OfFirst.class).isRunning()).isFalse();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Leading {
        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().leading(true).roles("first").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Three {
        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder()
                    .roles("first", "second", "third")
                    .partitions(1)
                    .build();
        }

        @Bean
        @Lazy
        OfFirst plain() {
            return new OfFirst();
        }
    }

    @StartWhenLeading(role = "first")
    static class OfFirst extends Startable {}

    @StartWhenLeading(role = "second")
    static class CreatingOfSecond extends Startable {
        private final ObjectProvider<OfFirst> lazy;

        CreatingOfSecond(@Qualifier("plain") ObjectProvider<OfFirst> lazy) {
            this.lazy = lazy;
        }

        @Override
        public void start() {
            lazy.getObject();
            super.start();
        }
    }

    /** Does its work in start(), and is done. */
    @StartWhenLeading(role = "first")
    static class OneShot implements Lifecycle {
        int starts;

        @Override
        public void start() {
            starts++;
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    @StartWhenLeading(role = "first")
    static class Failing extends OneShot {
        @Override
        public void start() {
            super.start();
            throw new IllegalStateException("meant to fail");
        }
    }

    @StartWhenLeading(role = "second")
    static class StoppingFirst extends Startable {
        private final OfFirst first;
        boolean stopped;

        StoppingFirst(@Qualifier("plain") OfFirst first) {
            this.first = first;
        }

        @Override
        public void start() {
            stopped = first.isRunning();
            first.stop();
            super.start();
        }
    }
}
