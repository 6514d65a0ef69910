package io.neli.spring.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Whether the election is on NATS instead of Kafka. What is ambiguous is refused: a member that is on the other of the two would
 * lead next to the leader.
 */
final class NatsChoice {

    static final String SERVERS = "neli.nats.servers";

    private static final Pattern USER = Pattern.compile("^(\\w+://)?.*@");

    private NatsChoice() {}

    /** Whether the servers are set, to whatever value. */
    static boolean isIn(Environment environment) {
        return Binder.get(environment)
                .bind(SERVERS, Bindable.listOf(String.class))
                .isBound();
    }

    /**
     * Whether it is, by the properties or by connection details of the application's own.
     *
     * @throws NeliException if the properties contradict each other
     */
    static boolean of(NeliProperties properties, @Nullable NeliNatsConnectionDetails details) {
        return (details != null && !(details instanceof PropertiesNatsConnectionDetails)) || of(properties);
    }

    /** Where the client of the chosen servers is not on the class path. */
    static NeliException missing(boolean onNats) {
        return onNats
                ? new NeliException(
                        "the election is on NATS (" + SERVERS + "), and neli-nats is not on the class path",
                        "add the dependency io.neli:neli-nats, or remove " + SERVERS + " for an election on Kafka")
                : new NeliException(
                        SERVERS + " is not set, so the election is on Kafka, and spring-boot-kafka is not on the class"
                                + " path",
                        "add the dependency org.springframework.boot:spring-boot-kafka, or set " + SERVERS);
    }

    private static boolean of(NeliProperties properties) {
        List<String> servers = properties.nats().servers();
        if (servers == null) {
            withoutServers(properties.nats()).ifPresent(property -> {
                throw new NeliException(
                        property + " is set, and " + SERVERS + " is not",
                        "set " + SERVERS + ", such as to nats://host:4222, or remove " + property
                                + ": without servers the election is on Kafka");
            });
            return false;
        }
        String shown = servers.stream()
                .map(server -> USER.matcher(server).replaceFirst("$1***@"))
                .collect(Collectors.joining(","));
        if (servers.isEmpty() || !servers.stream().allMatch(StringUtils::hasText)) {
            throw new NeliException(
                    SERVERS + " is '" + shown + "': the address of a server is blank",
                    "set it to addresses such as nats://host:4222, or remove it for an election on Kafka");
        }
        if (servers.stream().anyMatch(server -> USER.matcher(server).find())) {
            throw new NeliException(
                    SERVERS + " is '" + shown + "': an address has a user or a token in it, and addresses are logged",
                    "set neli.nats.username and neli.nats.password, or neli.nats.token");
        }
        ofKafka(properties.kafka()).ifPresent(property -> {
            throw new NeliException(
                    SERVERS + " is '" + shown + "', and " + property + " is set too",
                    "remove one of the two: the election is either on NATS or on Kafka, for all members alike");
        });
        return true;
    }

    private static Optional<String> withoutServers(NeliProperties.Nats nats) {
        String prefix = "neli.nats.";
        if (nats.credentials() != null) {
            return Optional.of(prefix + "credentials");
        }
        if (StringUtils.hasLength(nats.username())) {
            return Optional.of(prefix + "username");
        }
        if (StringUtils.hasLength(nats.password())) {
            return Optional.of(prefix + "password");
        }
        if (StringUtils.hasLength(nats.token())) {
            return Optional.of(prefix + "token");
        }
        return StringUtils.hasLength(nats.ssl().bundle()) ? Optional.of(prefix + "ssl.bundle") : Optional.empty();
    }

    private static Optional<String> ofKafka(NeliProperties.Kafka kafka) {
        String prefix = "neli.kafka.";
        if (!kafka.bootstrapServers().isEmpty()) {
            return Optional.of(prefix + "bootstrap-servers");
        }
        if (StringUtils.hasLength(kafka.security().protocol())) {
            return Optional.of(prefix + "security.protocol");
        }
        if (StringUtils.hasLength(kafka.ssl().bundle())) {
            return Optional.of(prefix + "ssl.bundle");
        }
        return kafka.properties().keySet().stream().sorted().findFirst().map(key -> prefix + "properties." + key);
    }
}
