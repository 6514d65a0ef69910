package io.neli.internal.kafka;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.neli.internal.shell.Problem;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.jspecify.annotations.Nullable;

/** Describes what is wrong with the leader topic or the connection to it: the property, its value and the fix. */
final class LogFailure {

    private static final String SECURITY_PROTOCOL = "security.protocol";

    private final KafkaSettings settings;
    private final Rights rights;

    LogFailure(KafkaSettings settings) {
        this.settings = settings;
        this.rights = new Rights(settings);
    }

    /** For a record that could not be written. */
    Problem ofWriting(int log, Throwable failure) {
        return isRefused(failure) ? rights.missingOnTopic(log, List.of(AclOperation.WRITE)) : of(log, failure);
    }

    /** Whether a right is missing; a producer that may write to no topic at all gets it as the cause. */
    static boolean isRefused(Throwable failure) {
        return failure instanceof AuthorizationException || failure.getCause() instanceof AuthorizationException;
    }

    Problem of(Throwable failure) {
        return of(0, failure);
    }

    /** For one of the topics. */
    Problem of(int log, Throwable failure) {
        if (failure instanceof UnusableTopicException unusable) {
            return unusable.problem();
        }
        if (failure instanceof LogReplacedException) {
            return new Problem(String.valueOf(failure.getMessage()), "members continue once the topic exists", true);
        }
        if (failure instanceof AuthorizationException) {
            return rights.missingOnTopic(log, List.of(AclOperation.READ));
        }
        Throwable cause = cause(failure);
        if (cause instanceof SslAuthenticationException) {
            return lasting(
                    way() + ": " + messages(cause),
                    "the trust store (an SSL bundle, or ssl.truststore.*) must hold the authority that signed the"
                            + " brokers' certificates, these must name the hosts, and the brokers may ask for a"
                            + " certificate of this application (the key store)");
        }
        if (cause instanceof AuthenticationException) {
            return lasting(
                    way() + " and " + SaslConfigs.SASL_MECHANISM + " is '" + mechanism() + "', for "
                            + rights.principal() + ": " + cause.getMessage(),
                    "check the protocol, the mechanism, and the name and password in " + SaslConfigs.SASL_JAAS_CONFIG);
        }
        if (failure instanceof KafkaException && !(cause instanceof RetriableException)) {
            return lasting(
                    way() + ": the Kafka client cannot be used, " + messages(cause),
                    "check the addresses (host:port) and the properties under neli.kafka");
        }
        return new Problem(
                "the leader topic '" + settings.shell().topic(log) + "' cannot be reached, " + way() + ": "
                        + withoutTimes(cause),
                "check the address, the network, the brokers, and that they speak this protocol",
                cause instanceof RetriableException);
    }

    /** Kafka's text has the times of a call, which would make a new problem of each attempt. */
    static String withoutTimes(Throwable cause) {
        return cause.toString().replaceAll("Call\\(callName=(\\w+)[^)]*\\)", "the call '$1'");
    }

    private static Problem lasting(String what, String fix) {
        return new Problem(what, fix, false);
    }

    /** Kafka wraps the reason why a client could not be created. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getClass() == KafkaException.class && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Kafka puts the details of TLS and file problems into the causes. */
    private static String messages(Throwable failure) {
        Set<String> messages = new LinkedHashSet<>();
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.add(String.valueOf(cause.getMessage()));
        }
        return String.join(", ", messages);
    }

    private String way() {
        return "bootstrap.servers is '" + settings.bootstrapServers()
                + "' (by neli.kafka, spring.kafka or connection details) and " + SECURITY_PROTOCOL + " is '"
                + settings.client().getOrDefault(SECURITY_PROTOCOL, "PLAINTEXT") + "'";
    }

    private Object mechanism() {
        return settings.client().getOrDefault(SaslConfigs.SASL_MECHANISM, SaslConfigs.DEFAULT_SASL_MECHANISM);
    }
}
