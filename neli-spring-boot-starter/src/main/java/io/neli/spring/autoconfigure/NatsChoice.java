package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.ClassUtils;

/**
 * Decides whether the election is on NATS or on Kafka. Ambiguous settings are refused, because a member on the other
 * system would lead at the same time as the leader.
 */
final class NatsChoice {

    static final String SERVERS = "neli.nats.servers";

    private NatsChoice() {}

    /** Refuses {@code neli.nats.*} if there are no connection details of NATS: the election is then on Kafka. */
    static void verifyOnKafka(NeliProperties.Nats nats) {
        if (nats.servers() != null && ClassUtils.isPresent("io.neli.nats.NatsNeli", null)) {
            throw new NeliException(
                    "the election is on NATS (" + SERVERS
                            + "), and the application was processed ahead of time without " + SERVERS,
                    "process it again with " + SERVERS + ", or remove " + SERVERS + " for an election on Kafka");
        }
        if (nats.servers() != null) {
            throw new NeliException(
                    "the election is on NATS (" + SERVERS + "), and neli-nats is not on the class path",
                    "add the dependency io.neli:neli-nats, or remove " + SERVERS + " for an election on Kafka");
        }
        PropertyMapper map = PropertyMapper.get(); // ignores null
        map.from(nats.credentials()).to(set -> refuseWithoutServers("credentials"));
        map.from(nats.username()).whenHasText().to(set -> refuseWithoutServers("username"));
        map.from(nats.password()).whenHasText().to(set -> refuseWithoutServers("password"));
        map.from(nats.token()).whenHasText().to(set -> refuseWithoutServers("token"));
        map.from(nats.ssl().bundle()).whenHasText().to(set -> refuseWithoutServers("ssl.bundle"));
    }

    private static void refuseWithoutServers(String name) {
        throw new NeliException(
                "neli.nats." + name + " is set, and " + SERVERS + " is not",
                "set " + SERVERS + ", such as to nats://host:4222, or remove neli.nats." + name
                        + ": without servers the election is on Kafka");
    }

    static NeliException kafkaIsMissing() {
        return new NeliException(
                SERVERS + " is not set, so the election is on Kafka, and spring-boot-kafka is not on the class path",
                "add the dependency org.springframework.boot:spring-boot-kafka, or set " + SERVERS);
    }

    /** @throws NeliException if {@code neli.kafka.*} is set too */
    static void verifyNotOnKafka(NeliProperties.Kafka kafka, String servers) {
        PropertyMapper map = PropertyMapper.get();
        kafka.bootstrapServers().forEach(server -> refuseBoth("bootstrap-servers", servers));
        map.from(kafka.security().protocol()).whenHasText().to(set -> refuseBoth("security.protocol", servers));
        map.from(kafka.ssl().bundle()).whenHasText().to(set -> refuseBoth("ssl.bundle", servers));
        kafka.properties().keySet().forEach(key -> refuseBoth("properties." + key, servers));
    }

    private static void refuseBoth(String name, String servers) {
        throw new NeliException(
                SERVERS + " is '" + servers + "', and neli.kafka." + name + " is set too",
                "remove one of the two: the election is either on NATS or on Kafka, for all members alike");
    }
}
