package io.neli.programs;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A program or library that some tests need and not every machine has. */
public enum Program {
    CHROMIUM("chromium", "chromium", "chromium-browser", "google-chrome"),
    CHROMEDRIVER("chromium-driver", "chromedriver"),
    FAKETIME(
            "faketime",
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib64/faketime/libfaketime.so.1"),
    HAPROXY("haproxy", "haproxy"),
    IPTABLES("iptables", "iptables"),
    NATS_SERVER("nats-server", "nats-server"),
    PROMTOOL("prometheus", "promtool");

    /** The system property that, if set to {@code none}, hides all programs, as on a machine with only a JDK. */
    static final String PROPERTY = "neli.test.programs";

    private final String debianPackage;
    private final List<String> files;

    Program(String debianPackage, String... files) {
        this.debianPackage = debianPackage;
        this.files = List.of(files);
    }

    /** The path given by a property such as {@code -Dneli.test.program.chromium=...}, or else where it is installed. */
    public Optional<Path> find() {
        if ("none".equals(System.getProperty(PROPERTY))) {
            return Optional.empty();
        }
        return Optional.ofNullable(System.getProperty("neli.test.program." + this))
                .map(Path::of)
                .or(() -> files.stream().flatMap(Program::installed).findFirst());
    }

    private static Stream<Path> installed(String file) {
        if (Path.of(file).isAbsolute()) {
            return Stream.of(Path.of(file)).filter(Files::isRegularFile); // because a library need not be executable
        }
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Stream.of(path.split(File.pathSeparator))
                .map(directory -> Path.of(directory, file))
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable);
    }

    /**
     * Its path, for a test that {@link Needs} it.
     *
     * @throws IllegalStateException if it is missing
     */
    public Path path() {
        return find().orElseThrow(() -> new IllegalStateException(this + " is missing: " + installation()));
    }

    String installation() {
        return "apt-get install " + debianPackage;
    }

    /** The Debian packages of all programs. */
    public static List<String> packages() {
        return Stream.of(values()).map(program -> program.debianPackage).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
