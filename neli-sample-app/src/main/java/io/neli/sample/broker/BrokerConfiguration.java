package io.neli.sample.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.core.io.ClassPathResource;

/** Writes a broker's {@code server.properties}. */
public final class BrokerConfiguration {

    private static final String HOST = "://127.0.0.1:";

    private BrokerConfiguration() {}

    /**
     * A listener on the loopback interface.
     *
     * @param name in capitals
     * @param port where the broker listens
     * @param advertisedPort the port that the broker tells its clients to connect to
     */
    public record Listener(String name, int port, int advertisedPort) {}

    /**
     * Writes the file; the broker's data goes next to it.
     *
     * @param listeners the first one is also the broker's own
     * @param controllerPort used by the broker only
     */
    public static void write(Path file, List<Listener> listeners, int controllerPort) throws IOException {
        Properties settings = new Properties();
        try (InputStream common = new ClassPathResource("broker.properties").getInputStream()) {
            settings.load(common);
        }
        String controller = "CONTROLLER" + HOST + controllerPort;
        settings.setProperty("log.dirs", file.resolveSibling("logs").toString());
        settings.setProperty("controller.quorum.voters", controller.replace("CONTROLLER://", "1@"));
        settings.setProperty("inter.broker.listener.name", listeners.get(0).name());
        settings.setProperty("listeners", join(listeners, each -> each.name() + HOST + each.port()) + "," + controller);
        settings.setProperty(
                "advertised.listeners", join(listeners, each -> each.name() + HOST + each.advertisedPort()));
        settings.setProperty(
                "listener.security.protocol.map",
                join(listeners, each -> each.name() + ":PLAINTEXT") + ",CONTROLLER:PLAINTEXT");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
    }

    private static String join(List<Listener> listeners, Function<Listener, String> part) {
        return listeners.stream().map(part).collect(Collectors.joining(","));
    }
}
