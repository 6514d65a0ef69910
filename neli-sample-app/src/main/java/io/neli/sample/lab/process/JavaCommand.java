package io.neli.sample.lab.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that start another process of this program: the same java, the same class path or jar. */
public final class JavaCommand {

    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

    private JavaCommand() {}

    /**
     * A command for a process that should be small, and up soon.
     *
     * @param directory the lab's, where it keeps its temporary files, so that they go with it
     * @param heap as in {@code -Xmx}
     */
    public static List<String> of(
            LabDirectory directory, String heap, List<String> options, String main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.add("-Djava.io.tmpdir=" + directory.temporaryFiles());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        if (runsFromBootJar()) {
            command.add("-Dloader.main=" + main);
            command.add(JAR_LAUNCHER);
        } else {
            command.add(main);
        }
        command.addAll(List.of(args));
        return List.copyOf(command);
    }

    /** In the repackaged jar the classes are in jars within the jar, which only Boot's own loader reads. */
    private static boolean runsFromBootJar() {
        return ClassLoader.getSystemClassLoader().getResource(JAR_LAUNCHER.replace('.', '/') + ".class") != null;
    }
}
