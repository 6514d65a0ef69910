package io.neli.sample.lab;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The process of the lab: it starts all other processes and serves the page. */
@SpringBootApplication(proxyBeanMethods = false)
public class LabApplication {

    /**
     * Starts the lab. It runs until the process is stopped.
     *
     * @param instances the environment of an instance started with these arguments
     */
    public static void run(String[] args, Environment instances) throws IOException {
        JavaProcesses processes = JavaProcesses.create(clock());
        SpringApplication application = new SpringApplication(LabApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.config.name", "lab",
                "logging.file.name", processes.log("lab").toString(),
                "server.tomcat.basedir", processes.temporaryFiles().toString()));
        application.addInitializers(context -> {
            context.getBeanFactory().registerSingleton("processes", processes);
            context.getBeanFactory().registerSingleton("settings", LabSettings.of(List.of(args), instances));
        });
        Environment environment = application.run(args).getEnvironment();
        System.out.printf(
                "%nThe lab is at http://localhost:%s%nLogs are in %s; Ctrl-C stops everything%n",
                environment.getRequiredProperty("local.server.port"), processes.directory());
    }

    /** The lab's only clock, in milliseconds: starts at the time of day, and is monotonic from then on. */
    private static LongSupplier clock() {
        long offset = System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        return () -> offset + TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** All files are in the jar. By default, the server creates a directory that a killed lab leaves behind. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableServletWebServerFactory> documentRoot(JavaProcesses processes) {
        return server -> server.setDocumentRoot(processes.temporaryFiles().toFile());
    }
}
