package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.neli.Neli;
import io.neli.NeliSnapshot.Status;
import io.neli.cluster.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Applications, each in its own process, with nothing but the election: no web server, and no broker either. */
class KeepAliveTest {

    private static final Map<String, JavaProcess> PROCESSES = new HashMap<>();

    /** Starts all at once, because processes take long to start. */
    @BeforeAll
    static void start() {
        for (String ending : List.of("signal", "bounced", "disabled")) {
            JavaProcess process =
                    JavaProcess.start("keep-alive-" + ending + ".log", "-Xmx128m", Application.class, ending);
            CompletableFuture.delayedExecutor(4, TimeUnit.MINUTES).execute(process::destroy); // ends a test that reads
            PROCESSES.put(ending, process);
        }
    }

    @AfterAll
    static void end() {
        PROCESSES.values().forEach(process -> process.io().destroyForcibly());
    }

    @ParameterizedTest
    @CsvSource({"signal, 143", "bounced, 0", "disabled, 0"})
    void the_process_lives_while_the_election_runs(String ending, int exitValue) throws Exception {
        JavaProcess process = PROCESSES.get(ending);
        boolean lived = process.io().inputReader().lines().anyMatch("the election has no broker"::equals);
        assertThat(lived).isEqualTo(!ending.equals("disabled"));
        if (ending.equals("signal")) {
            process.io().destroy();
        }
        assertThat(process.io().waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();
        assertThat(process.io().exitValue()).isEqualTo(exitValue);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({KafkaAutoConfiguration.class, NeliAutoConfiguration.class})
    static class Application {

        public static void main(String[] args) {
            Thread main = Thread.currentThread();
            ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run(
                            "--neli.enabled=" + !args[0].equals("disabled"),
                            "--neli.group-id=billing",
                            "--neli.kafka.bootstrap-servers=no-such-host.invalid:9092"); // fails at once
            Thread observer = new Thread(() -> {
                await().forever().until(() -> !main.isAlive());
                Neli neli = context.getBean(Neli.class);
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> neli.snapshot().status() == Status.FAILED);
                if (args[0].equals("bounced")) {
                    neli.close();
                    neli.start();
                    await().atMost(Duration.ofMinutes(1))
                            .until(() -> neli.snapshot().status() == Status.FAILED);
                }
                System.out.println("the election has no broker");
                if (args[0].equals("bounced")) {
                    context.close();
                }
            });
            observer.setDaemon(true);
            observer.start();
        }
    }
}
