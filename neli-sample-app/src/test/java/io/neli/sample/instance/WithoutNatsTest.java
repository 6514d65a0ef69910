package io.neli.sample.instance;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** In this module, as in most applications, neli-nats is not on the class path. */
class WithoutNatsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
            .withPropertyValues("neli.group-id=billing");

    @Test
    void an_application_is_on_kafka_and_refuses_servers_of_nats() {
        assertThat(ClassUtils.isPresent("io.neli.nats.NatsNeli", null)).isFalse();
        application
                .withPropertyValues("neli.kafka.bootstrap-servers=localhost:1")
                .run(context -> assertThat(
                                context.getBean(Neli.class).snapshot().topic())
                        .isEqualTo("billing.neli"));
        application.withPropertyValues("neli.nats.servers=nats://localhost:1").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("the election is on NATS (neli.nats.servers)", "io.neli:neli-nats"));
    }
}
