package io.neli.sample.instance;

import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplate;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.ProducerFactory;

/** The topic of the ledger, and the template that lets only the leader write to it. */
@Configuration(proxyBeanMethods = false)
class LedgerConfiguration {

    @Bean
    NewTopic ledgerTopic(Neli neli) {
        return TopicBuilder.name(neli.snapshot().groupId() + ".ledger")
                .partitions(1)
                .build();
    }

    @Bean
    LeaderKafkaTemplate<String, LedgerEntry> ledgerTemplate(
            ProducerFactory<String, LedgerEntry> producers, Neli neli, NewTopic ledgerTopic) {
        LeaderKafkaTemplate<String, LedgerEntry> template = new LeaderKafkaTemplate<>(producers, neli, Ledger.ROLE);
        template.setDefaultTopic(ledgerTopic.name());
        return template;
    }
}
