package io.neli.nats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.TestMember;
import io.neli.cluster.Await;
import io.neli.cluster.JavaProcess;
import io.neli.cluster.ServerProcess;
import io.neli.harness.ChildProcess;
import io.neli.harness.Network;
import io.neli.harness.TemporaryDirectory;
import io.neli.programs.Program;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * A NATS server with JetStream in a separate process, on the loopback interface. Never outlives the JVM that started
 * it.
 */
public final class NatsServer implements ServerProcess {

    private static final String PROGRAM = "nats-server";
    private static final String HOST = "127.0.0.1";
    private static final Duration LIMIT = TestMember.PATIENCE;
    private static final Pattern URL = Pattern.compile("\"(\\w+://[^\"]*)\"");

    private static final Set<NatsServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(NatsServer::close), "end-nats-servers"));
    }

    private final Path directory;
    private final List<String> options;
    private final int port = Network.freePort();
    private String url = "";
    private @Nullable ChildProcess process;

    private NatsServer(Path directory, List<String> options) {
        this.directory = directory;
        this.options = options;
        OPEN.add(this);
    }

    /**
     * Starts a server. Returns when it answers.
     *
     * @param options further options of the program, such as {@code --user}
     */
    public static NatsServer start(String... options) {
        try {
            NatsServer server = new NatsServer(TemporaryDirectory.create(PROGRAM), List.of(options));
            try {
                server.launch();
                return server;
            } catch (Throwable e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void launch() {
        List<String> command = new ArrayList<>(List.of(
                Program.NATS_SERVER.path().toString(),
                "-a",
                HOST,
                "-p",
                Integer.toString(port),
                "--ports_file_dir",
                directory.toString(),
                "-js",
                "-sd",
                directory.resolve("data").toString()));
        command.addAll(options);
        Path log = JavaProcess.logDirectory().resolve(PROGRAM + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            process = new ChildProcess(builder, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path ports = directory.resolve(PROGRAM + "_" + process.pid() + ".ports");
        Await.until("the NATS server answers", LIMIT, () -> isWritten(ports));
    }

    /** Whether the server has written this file, which it does when it listens. */
    private boolean isWritten(Path ports) throws IOException {
        if (!process().isAlive()) {
            throw new AssertionError("the NATS server has ended, see " + JavaProcess.logDirectory());
        }
        Matcher found = URL.matcher(Files.exists(ports) ? Files.readString(ports) : "");
        if (!found.find()) {
            return false;
        }
        url = found.group(1);
        return true;
    }

    /** The server's address for clients, such as {@code nats://127.0.0.1:4222}. */
    public String url() {
        return url;
    }

    @Override
    public String address() {
        return url;
    }

    @Override
    public Path directory() {
        return directory;
    }

    private ChildProcess process() {
        return Objects.requireNonNull(process, "not started");
    }

    @Override
    public void terminate() {
        process().terminate();
        process().awaitEnd(LIMIT);
    }

    /** Sends SIGKILL. Returns when the server has ended. */
    public void kill() {
        process().destroy();
        process().awaitEnd(LIMIT);
    }

    @Override
    public void restart() {
        launch();
    }

    /** Ends the server, and deletes its files. */
    @Override
    public void close() {
        try {
            if (process != null) {
                kill(); // it must not write into the directory during the deletion
            }
            FileSystemUtils.deleteRecursively(directory);
            OPEN.remove(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
