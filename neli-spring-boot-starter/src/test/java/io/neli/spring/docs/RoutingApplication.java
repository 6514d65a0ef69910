package io.neli.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.neli.spring.LeaderAcquiredEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with classes from docs/routing.md: the main class of a process, or one of several in this JVM. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
public class RoutingApplication {

    static final String PAGE = "docs/routing.md";

    /** The files that the page links to. */
    static final Path KUBERNETES = CodeBlock.PROJECT.resolve("docs").resolve("kubernetes");

    /** The text that a process prints when it leads, before its token. */
    static final String LEADING = "leading with token ";

    /** How often the label is repaired. */
    private static final String INTERVAL = "fixedDelay = 10, timeUnit = TimeUnit.SECONDS";

    private static final String SHORT_INTERVAL = "fixedDelay = 200, timeUnit = TimeUnit.MILLISECONDS";

    /** Compiles the code that the page shows and links to, with a shorter interval, into an empty directory. */
    static void compile(Path classes) throws IOException {
        List<String> shown = new ArrayList<>(CodeBlock.codeOn(PAGE, "java"));
        for (String linked : List.of("LeaderLabel.java", "KubernetesConfiguration.java")) {
            shown.add(Files.readString(KUBERNETES.resolve(linked)));
        }
        assertThat(shown).filteredOn(code -> code.contains(INTERVAL)).hasSize(1);
        List<String> files = shown.stream()
                .map(code -> code.replace(INTERVAL, SHORT_INTERVAL))
                .toList();
        assertThat(new JavaCode(classes).compileFiles(files)).isEmpty();
    }

    /**
     * Starts an application.
     *
     * @param classes the directory of the compiled classes
     * @param shown the names of the classes that it uses
     */
    static ConfigurableApplicationContext start(Path classes, List<String> shown, String... arguments) {
        ClassLoader own = RoutingApplication.class.getClassLoader();
        try {
            ClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, own);
            Thread.currentThread().setContextClassLoader(loader);
            SpringApplicationBuilder application = new SpringApplicationBuilder(RoutingApplication.class);
            for (String name : shown) {
                application.sources(loader.loadClass("com.example.billing." + name));
            }
            return application.registerShutdownHook(true).run(arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    /** Takes the directory of the classes, the names of those to use, with commas, and the application's arguments. */
    public static void main(String[] args) {
        start(Path.of(args[0]), List.of(args[1].split(",")), Arrays.copyOfRange(args, 2, args.length));
    }

    @EventListener
    void on(LeaderAcquiredEvent event) {
        System.out.println(LEADING + event.token());
    }
}
