package io.neli.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Says what is wrong with the leader topic or the way to it: which property, its value, and the fix. */
final class LogFailure {

    private static final String SECURITY_PROTOCOL = "security.protocol";

    private final MemberSettings settings;

    LogFailure(MemberSettings settings) {
        this.settings = settings;
    }

    String describe(Throwable failure) {
        if (failure instanceof LeaderTopic.UnusableException || failure instanceof LogReplacedException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof AuthorizationException) {
            return "neli.topic is '" + settings.topic() + "': " + failure.getMessage()
                    + "; grant READ, WRITE and DESCRIBE on the topic to this application's principal";
        }
        Throwable cause = cause(failure);
        if (cause instanceof ConfigException) {
            return servers() + ": the Kafka client refuses a property, " + cause.getMessage()
                    + "; check the addresses (host:port) and the properties under neli.kafka";
        }
        if (cause instanceof AuthenticationException) {
            return servers() + " and neli.kafka.properties." + SECURITY_PROTOCOL + " is '" + protocol() + "': "
                    + cause.getMessage() + "; check the protocol and the credentials";
        }
        return "the leader topic '" + settings.topic() + "' cannot be reached, " + servers()
                + " and neli.kafka.properties."
                + SECURITY_PROTOCOL + " is '" + protocol() + "': " + cause
                + "; check the address, the network, the brokers, and that they speak this protocol";
    }

    /** Kafka wraps what keeps a client from being made. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getClass() == KafkaException.class && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private String servers() {
        return "neli.kafka.bootstrap-servers is '" + settings.kafka().get("bootstrap.servers") + "'";
    }

    private Object protocol() {
        return settings.kafka().getOrDefault(SECURITY_PROTOCOL, "PLAINTEXT");
    }
}
