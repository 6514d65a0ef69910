package io.neli.spring.docs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The application that a reader of docs/getting-started.md writes. */
final class GettingStarted implements AutoCloseable {

    static final Path PAGE = Path.of("docs", "getting-started.md");

    private static final Pattern FILE = Pattern.compile("`(src/[^`]+)`:\\s+```\\w+\n(.*?)```", Pattern.DOTALL);

    private final URLClassLoader classes;
    private final String servers;
    private ConfigurableApplicationContext instance;

    /**
     * Writes the files of the page and compiles them.
     *
     * @param directory an empty directory
     * @param servers replace the broker that the page assumes
     */
    GettingStarted(Path directory, String servers) throws IOException {
        this.servers = servers;
        Path output = Files.createDirectory(directory.resolve("classes"));
        List<String> sources = new ArrayList<>();
        String page = String.join("\n", CodeBlock.lines(PAGE));
        for (MatchResult file : FILE.matcher(page).results().toList()) {
            Path path = directory.resolve(file.group(1));
            if (path.toString().endsWith(".java")) {
                sources.add(path.toString());
            } else {
                path = output.resolve(path.getFileName());
            }
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.group(2));
        }
        compile(sources, output);
        classes = new URLClassLoader(
                new URL[] {output.toUri().toURL()}, getClass().getClassLoader());
    }

    private static void compile(List<String> sources, Path output) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none", "-parameters", "-d", output.toString(), "-cp", System.getProperty("java.class.path")));
        arguments.addAll(sources);
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new AssertionError("the files of " + PAGE + " do not compile, see above");
        }
    }

    /**
     * Starts an instance as {@code java -jar} does, but on another port, because the usual one may be in use, and with
     * one partition, so that any name is a role.
     */
    ConfigurableApplicationContext start() throws ClassNotFoundException {
        Thread.currentThread().setContextClassLoader(classes);
        try {
            instance = new SpringApplicationBuilder(classes.loadClass("com.example.billing.BillingApplication"))
                    .run("--server.port=0", "--spring.kafka.bootstrap-servers=" + servers, "--neli.partitions=1");
            return instance;
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }

    /** The port on which the last instance listens. */
    int port() {
        return instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Override
    public void close() throws IOException {
        if (instance != null) {
            instance.close();
        }
        classes.close();
    }
}
