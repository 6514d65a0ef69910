package io.neli.sample.instance;

import io.neli.Neli;
import org.apache.kafka.clients.admin.NewTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An ordinary instance. Start it several times: one instance leads, and the others are on standby. */
@SpringBootApplication
@EnableScheduling
public class SampleApplication {

    private static final Logger log = LoggerFactory.getLogger(SampleApplication.class);

    public static void main(String[] args) {
        SpringApplication.run(SampleApplication.class, args);
    }

    @Bean
    NewTopic ledgerTopic(Neli neli) {
        return TopicBuilder.name(neli.snapshot().groupId() + ".ledger")
                .partitions(1)
                .build();
    }

    @EventListener
    void on(WebServerInitializedEvent event) {
        log.info(
                "health, metrics and the state of the election are at http://localhost:{}/actuator",
                event.getWebServer().getPort());
    }
}
