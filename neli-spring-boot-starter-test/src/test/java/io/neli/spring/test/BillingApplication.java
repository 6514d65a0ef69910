package io.neli.spring.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.LeadershipEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The application under test. It is tested as applications test themselves. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(BillingApplication.Invoices.class)
class BillingApplication {

    @Bean
    Job job() {
        return new Job();
    }

    static class Job {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @LeaderOnly
        @Nullable
        public String settle() {
            return "settled";
        }

        @LeaderOnly(role = "reports")
        @Nullable
        public String report() {
            return "reported";
        }

        @EventListener
        void on(LeadershipEvent event) {
            received.add(event.getClass().getSimpleName());
        }

        public List<String> received() {
            return List.copyOf(received);
        }
    }

    @RestController
    static class Invoices {

        @GetMapping("/settle")
        @LeaderOnly(otherwise = Otherwise.THROW)
        public String settle() {
            return "settled";
        }
    }
}
