package io.neli.spring.autoconfigure;

import io.neli.nats.NatsNeli;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Connects the election to NATS. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(NatsNeli.class)
class NeliNatsConfiguration {

    @Bean
    @Conditional(OnServers.class)
    @ConditionalOnMissingBean
    NeliNatsConnectionDetails neliNatsConnectionDetails(NeliProperties properties, ObjectProvider<SslBundles> bundles) {
        return () -> ElectionClientOptions.of(properties, bundles.getIfAvailable());
    }

    @Bean
    @ConditionalOnBean(NeliNatsConnectionDetails.class)
    NeliEnabledConfiguration.Servers neliOnNats(NeliNatsConnectionDetails details) {
        return () -> NatsNeli.builder(details.getOptions());
    }

    /** Matches if the servers are set, whatever their value. */
    static class OnServers extends OnPropertyListCondition {

        OnServers() {
            super(NatsChoice.SERVERS, () -> ConditionMessage.forCondition("Election on NATS"));
        }
    }
}
