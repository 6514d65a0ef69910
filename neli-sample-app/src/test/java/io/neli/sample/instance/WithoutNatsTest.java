package io.neli.sample.instance;

import io.neli.Neli;
import io.neli.NeliException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Here, neli-nats is not on the class path at all, as in most applications. */
class WithoutNatsTest {

    @Test
    void an_application_is_on_kafka_and_refuses_servers_of_nats() {
        assertThat(ClassUtils.isPresent("io.neli.nats.NatsNeli", null)).isFalse();
        try (ConfigurableApplicationContext application = run("neli.kafka.bootstrap-servers=localhost:1")) {
            assertThat(application.getBean(Neli.class).snapshot().topic()).isEqualTo("billing.neli");
        }
        assertThatThrownBy(() -> run("neli.nats.servers=nats://localhost:1").close())
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.nats.servers is 'nats://localhost:1'", "io.neli:neli-nats");
    }

    private static ConfigurableApplicationContext run(String property) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run("--spring.config.name=none", "--neli.group-id=billing", "--" + property);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
