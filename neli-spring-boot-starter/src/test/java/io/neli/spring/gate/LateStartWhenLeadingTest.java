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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;

/** Components that are created after the event of their role, while others of its partition are still to come. */
class LateStartWhenLeadingTest {

    @Test
    void a_lazy_bean_of_an_earlier_role_on_the_same_partition_starts() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
                .withUserConfiguration(Two.class)
                .withBean(CreatingOfSecond.class)
                .run(context -> {
                    context.getBean(FakeNeli.class).acquire();
                    assertThat(context.getBean("plain", OfFirst.class).isRunning())
                            .isTrue();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder().roles("first", "second").partitions(1).build();
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
}
