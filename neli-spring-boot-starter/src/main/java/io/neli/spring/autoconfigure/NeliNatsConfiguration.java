package io.neli.spring.autoconfigure;

import io.neli.nats.NatsNeli;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The election on NATS. */
@Configuration(proxyBeanMethods = false)
class NeliNatsConfiguration {

    @Bean
    @Conditional(OnNatsCondition.class)
    @ConditionalOnMissingBean
    NeliNatsConnectionDetails neliNatsConnectionDetails(NeliProperties properties, ObjectProvider<SslBundles> bundles) {
        return new PropertiesNatsConnectionDetails(properties.nats(), bundles.getIfAvailable());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(NatsNeli.class)
    static class Servers {

        @Bean
        MemberServers neliNatsServers(ObjectProvider<NeliNatsConnectionDetails> details) {
            return () -> NatsNeli.builder(ElectionClientOptions.of(details.getObject()));
        }
    }
}
