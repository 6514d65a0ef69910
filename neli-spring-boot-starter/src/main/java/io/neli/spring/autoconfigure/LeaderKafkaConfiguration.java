package io.neli.spring.autoconfigure;

import java.time.Duration;

import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplates;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.kafka.support.micrometer.KafkaTemplateObservationConvention;

/** The templates of this context's election, as Boot's KafkaAutoConfiguration makes its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = Neli.class, search = SearchStrategy.CURRENT)
@ConditionalOnSingleCandidate(ProducerFactory.class)
class LeaderKafkaConfiguration {

    @Bean("io.neli.spring.LeaderKafkaTemplates")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @SuppressWarnings("unchecked") // as Boot's template, it is for the types that the application injects
    LeaderKafkaTemplates<?, ?> leaderKafkaTemplates(
            BeanFactory beans,
            Environment environment,
            ObjectProvider<ProducerListener<?, ?>> listener,
            ObjectProvider<RecordMessageConverter> converter,
            ObjectProvider<KafkaTemplateObservationConvention> convention) {
        Binder properties = Binder.get(environment);
        ProducerFactory<Object, Object> producers = beans.getBean(ProducerFactory.class);
        return new LeaderKafkaTemplates<>(producers, beans.getBean(Neli.class), template -> {
            String prefix = "spring.kafka.template.";
            properties.bind(prefix + "default-topic", String.class).ifBound(template::setDefaultTopic);
            properties.bind(prefix + "close-timeout", Duration.class).ifBound(template::setCloseTimeout);
            properties.bind(prefix + "observation-enabled", Boolean.class).ifBound(template::setObservationEnabled);
            listener.ifUnique(found -> template.setProducerListener((ProducerListener<Object, Object>) found));
            converter.ifUnique(template::setMessageConverter);
            convention.ifUnique(template::setObservationConvention);
        });
    }
}
