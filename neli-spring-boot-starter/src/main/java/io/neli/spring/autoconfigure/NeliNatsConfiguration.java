package io.neli.spring.autoconfigure;

import io.neli.nats.NatsNeli;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Members on NATS, where neli-nats is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(NatsNeli.class)
class NeliNatsConfiguration {

    @Bean("io.neli.spring.autoconfigure.NatsMembers")
    NatsMembers natsMembers() {
        return (properties, bundles) -> NatsNeli.builder(ElectionClientOptions.of(properties, bundles));
    }
}
