package io.neli.spring.autoconfigure;

import java.time.Duration;

import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplates;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.micrometer.KafkaTemplateObservationConvention;

/** Defines the templates of this context's election, configured as Boot's KafkaAutoConfiguration configures its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ProducerFactory.class)
@ConditionalOnMissingBean(NeliNatsConnectionDetails.class)
@ConditionalOnSingleCandidate(ProducerFactory.class)
class LeaderKafkaConfiguration {

    @Bean
    @ConditionalOnSingleCandidate(value = Neli.class, search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @SuppressWarnings("unchecked") // like Boot's template, it fits whatever types the application injects
    LeaderKafkaTemplates<?, ?> leaderKafkaTemplates(ApplicationContext context) {
        Binder properties = Binder.get(context.getEnvironment());
        ProducerFactory<Object, Object> producers = context.getBean(ProducerFactory.class);
        return new LeaderKafkaTemplates<>(producers, context.getBean(Neli.class), template -> {
            String prefix = "spring.kafka.template.";
            properties.bind(prefix + "default-topic", String.class).ifBound(template::setDefaultTopic);
            properties.bind(prefix + "close-timeout", Duration.class).ifBound(template::setCloseTimeout);
            properties.bind(prefix + "observation-enabled", Boolean.class).ifBound(template::setObservationEnabled);
            context.getBeanProvider(ProducerListener.class).ifUnique(template::setProducerListener);
            context.getBeanProvider(RecordMessageConverter.class).ifUnique(template::setMessageConverter);
            context.getBeanProvider(KafkaTemplateObservationConvention.class)
                    .ifUnique(template::setObservationConvention);
        });
    }
}
