package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Closes the context from a listener or from work. */
final class EndFromInsideMain {

    private EndFromInsideMain() {}

    public static void main(String[] args) throws InterruptedException {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run("--at=" + args[0], "--spring.main.banner-mode=off");
        FakeNeli neli = context.getBean(FakeNeli.class);
        neli.acquire();
        Job job = context.getBean(Job.class);
        new Thread(job::other, "other-work").start();
        job.begun().await();
        if (args[0].equals("work")) {
            job.end();
        } else {
            neli.fence();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class})
    static class Application {

        @Bean(destroyMethod = "")
        FakeNeli neli() {
            return FakeNeli.builder()
                    .leading(false)
                    .handoverTimeout(Duration.ofMinutes(10))
                    .interruptOnFence(false)
                    .build();
        }

        @Bean
        Needed needed() {
            return new Needed();
        }

        @Bean
        Job job(ConfigurableApplicationContext context, Needed needed) {
            return new Job(context, needed);
        }
    }

    static class Needed implements DisposableBean {

        volatile boolean destroyed;

        @Override
        public void destroy() {
            destroyed = true;
            System.out.println("destroyed");
        }
    }

    static class Job {

        private final ConfigurableApplicationContext context;
        private final Needed needed;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ending = new CountDownLatch(1);

        Job(ConfigurableApplicationContext context, Needed needed) {
            this.context = context;
            this.needed = needed;
        }

        CountDownLatch begun() {
            return begun;
        }

        @LeaderOnly
        void other() {
            begun.countDown();
            try {
                ending.await();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println(needed.destroyed ? "other work lost what it needs" : "other work ended");
        }

        @LeaderOnly
        void end() {
            endAll();
        }

        private void endAll() {
            context.close();
            System.out.println("closed");
        }

        @EventListener
        void on(LeadershipEvent event) {
            if (!(event instanceof LeaderAcquiredEvent)) {
                ending.countDown();
            }
            if (event.getClass().getSimpleName().equals(context.getEnvironment().getRequiredProperty("at"))) {
                endAll();
            }
        }
    }
}
