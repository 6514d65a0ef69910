package io.neli.spring.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.neli.cluster.JavaProcess;
import io.neli.harness.ChildProcess;
import io.neli.nats.NatsServer;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.Startable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/** An application on NATS that has excluded Kafka, in its own process. */
@Needs(Program.NATS_SERVER)
class WithoutKafkaIT {

    /** Jars that docs/nats.md excludes, and those that only tests need. */
    private static final Pattern KAFKA =
            Pattern.compile("(.*kafka|lz4|snappy|zstd|spring-messaging|spring-tx).*\\.jar");

    @Test
    void an_application_on_nats_leads_without_a_jar_of_kafka() throws Exception {
        try (NatsServer nats = NatsServer.start()) {
            Process process = start("--neli.nats.servers=" + nats.url()).io();
            try {
                Set<String> awaited = new HashSet<>(Set.of("the poller runs", "the job runs"));
                boolean runs =
                        process.inputReader().lines().peek(awaited::remove).anyMatch(line -> awaited.isEmpty());
                assertThat(runs).isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void without_servers_of_nats_it_says_what_is_missing() throws Exception {
        Process process = start("--neli.group-id=billing").io();

        assertThat(process.inputReader().lines().collect(Collectors.joining("\n")))
                .contains("spring-boot-kafka is not on the class path.", "Add the dependency");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    private static ChildProcess start(String argument) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        !KAFKA.matcher(Path.of(entry).getFileName().toString()).matches())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(JavaProcess.quick("-Xmx128m"));
        command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath, Application.class.getName(), argument));
        ChildProcess child = new ChildProcess(
                new ProcessBuilder(command), JavaProcess.logDirectory().resolve("without-kafka.log"));
        CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(child::destroy); // ends a test that reads
        return child;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        public static void main(String[] args) {
            new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("neli.group-id=billing", "management.endpoints.web.exposure.include=*")
                    .run(args);
        }

        @Bean
        Job job() {
            return new Job();
        }

        @Bean
        Poller poller() {
            return new Poller();
        }
    }

    static class Job {

        @LeaderOnly
        @Scheduled(fixedDelay = 100)
        void run() {
            System.out.println("the job runs");
        }
    }

    @StartWhenLeading
    static class Poller extends Startable {

        @Override
        public void start() {
            super.start();
            System.out.println("the poller runs");
        }
    }
}
