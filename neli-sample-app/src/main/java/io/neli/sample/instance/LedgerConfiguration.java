package io.neli.sample.instance;

import io.neli.Neli;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

@Configuration(proxyBeanMethods = false)
class LedgerConfiguration {

    @Bean
    NewTopic ledgerTopic(Neli neli) {
        return TopicBuilder.name(neli.snapshot().groupId() + ".ledger")
                .partitions(1)
                .build();
    }
}
