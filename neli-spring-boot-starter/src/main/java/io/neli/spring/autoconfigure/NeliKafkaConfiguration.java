package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The election on Kafka. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(KafkaConnectionDetails.class)
class NeliKafkaConfiguration {

    @Bean
    MemberServers neliKafkaServers(
            NeliProperties properties,
            ObjectProvider<KafkaProperties> common,
            ObjectProvider<KafkaConnectionDetails> details,
            ObjectProvider<SslBundles> bundles) {
        return () -> Neli.builder()
                .kafka(ElectionClientProperties.of(
                        properties.kafka(),
                        common.getIfAvailable(),
                        details.getIfAvailable(),
                        bundles.getIfAvailable()));
    }
}
