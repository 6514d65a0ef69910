package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/** A process of the sample, or of {@link InstanceMain}, with its output. */
public final class Instance {

    private final Process process;
    private final Path output;

    private Instance(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** {@link InstanceMain} as from an IDE: on a class path of directories and jars. */
    static Instance start(Path directory) throws IOException {
        return start(directory, "-cp", System.getProperty("java.class.path"), InstanceMain.class.getName());
    }

    /** The sample itself, from the repackaged jar, as a user starts it. */
    public static Instance startSample(Path directory, Path jar, String name, String... options) throws IOException {
        List<String> what = new ArrayList<>(List.of(options));
        what.addAll(List.of("-Dneli.name=" + name, "-jar", jar.toString()));
        return start(directory, what.toArray(String[]::new));
    }

    private static Instance start(Path directory, String... what) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(what));
        command.add("--sample.broker.directory=" + directory);
        Path output = Files.createTempFile("neli-sample-instance", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Instance(process, output);
    }

    String awaitAddress() {
        awaitOutput("address ");
        return output().lines()
                .filter(line -> line.startsWith("address "))
                .findFirst()
                .orElseThrow()
                .substring("address ".length());
    }

    public void awaitOutput(String text) {
        Awaitility.await(text).atMost(Duration.ofSeconds(40)).until(() -> {
            assertThat(process.isAlive() || output().contains(text))
                    .as("alive, but printed\n%s", output())
                    .isTrue();
            return output().contains(text);
        });
    }

    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Brokers, and attempts at one, that this instance has started and that are still there. */
    public List<ProcessHandle> brokers() {
        return process.descendants().toList();
    }

    public boolean isGone() {
        return !process.isAlive();
    }

    /** SIGTERM, as Ctrl-C is answered. */
    public void stop() {
        process.destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Leaves nothing behind. */
    public void cleanUp() throws IOException {
        brokers().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(output);
    }
}
