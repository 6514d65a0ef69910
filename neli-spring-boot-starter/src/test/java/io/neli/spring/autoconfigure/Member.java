package io.neli.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.neli.Leader;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderChangedEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeadershipEvent;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.AopTestUtils;

/** An application with one leader-only job. Several run in one JVM and write to one journal. */
final class Member implements AutoCloseable {

    final ConfigurableApplicationContext context;
    final Job job;
    final Neli neli;

    private Member(ConfigurableApplicationContext context) {
        this.context = context;
        this.job = AopTestUtils.getTargetObject(context.getBean(Job.class)); // the proxy's fields are not set
        this.neli = context.getBean(Neli.class);
    }

    static Member start(String name, List<String> journal, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--neli.name=" + name, "--spring.application.name=billing"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new Member(new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("log", new Log(name, journal)))
                .run(arguments.toArray(String[]::new)));
    }

    Optional<Long> acquiredToken() {
        return job.events.stream()
                .filter(LeaderAcquiredEvent.class::isInstance)
                .map(LeadershipEvent::token)
                .reduce((earlier, later) -> later);
    }

    @Override
    public void close() {
        context.close();
    }

    record Log(String name, List<String> journal) {

        void add(String entry) {
            journal.add(name + " " + entry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Job job(Log log) {
            return new Job(log);
        }

        // A listener that depends on its own election.
        @Bean
        LeaderListener preparation(Neli neli, Log log) {
            return event -> {
                if (event instanceof LeaderAcquired) {
                    log.add("prepares, leading: " + neli.isLeader());
                }
            };
        }
    }

    static class Job {

        private final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();
        final List<String> leaders = new CopyOnWriteArrayList<>();
        private final Log log;
        private volatile CountDownLatch hold = new CountDownLatch(0);

        Job(Log log) {
            this.log = log;
        }

        @Scheduled(fixedDelay = 10)
        @LeaderOnly
        void work() throws InterruptedException {
            CountDownLatch release = hold;
            log.add("begins");
            if (release.getCount() > 0) {
                log.add("waits");
                release.await();
            }
            log.add("ends");
        }

        @EventListener
        void on(LeadershipEvent event) {
            events.add(event);
            log.add(event.getClass().getSimpleName());
        }

        @EventListener
        void on(LeaderChangedEvent event) {
            leaders.add(event.role() + ": " + event.leader().map(Leader::name).orElse("nobody"));
        }

        /** Makes the next run last until the latch is released. */
        CountDownLatch hold() {
            hold = new CountDownLatch(1);
            return hold;
        }
    }
}
