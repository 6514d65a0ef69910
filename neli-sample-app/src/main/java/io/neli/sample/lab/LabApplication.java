package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import io.neli.sample.lab.process.LabDirectory;
import io.neli.sample.lab.process.Reaper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The lab, in a process of its own: starts everything else, and serves the page. */
@SpringBootApplication(proxyBeanMethods = false)
public class LabApplication {

    /** Starts the lab; it runs until the process is told to end. */
    public static void main(String[] args) {
        LabDirectory directory = create();
        Reaper reaper = start(directory);

        SpringApplication application = new SpringApplication(LabApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.config.name", "lab",
                "logging.file.name", directory.log("lab").toString(),
                "server.tomcat.basedir", directory.temporaryFiles().toString()));
        application.addInitializers(context -> {
            context.getBeanFactory().registerSingleton("labDirectory", directory);
            context.getBeanFactory().registerSingleton("reaper", reaper);
            context.getBeanFactory().registerSingleton("labSettings", LabSettings.read(List.of(args)));
        });
        ConfigurableApplicationContext context = application.run(args);
        greet(context.getEnvironment(), directory);
    }

    /** There are no files but those in the jar; without this, a directory is made for them that a killed lab leaves behind. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableServletWebServerFactory> documentRoot(LabDirectory directory) {
        return server -> server.setDocumentRoot(directory.temporaryFiles().toFile());
    }

    private static LabDirectory create() {
        try {
            return LabDirectory.create();
        } catch (IOException e) {
            throw new UncheckedIOException("No directory for the lab: " + e.getMessage(), e);
        }
    }

    private static Reaper start(LabDirectory directory) {
        try {
            return Reaper.start(directory);
        } catch (IOException e) {
            directory.delete();
            throw new UncheckedIOException("No other process can be started: " + e.getMessage(), e);
        }
    }

    private static void greet(Environment environment, LabDirectory directory) {
        System.out.printf(
                "%nThe lab is at http://localhost:%s%nLogs are in %s; Ctrl-C ends everything%n",
                environment.getRequiredProperty("local.server.port"), directory.path());
    }
}
