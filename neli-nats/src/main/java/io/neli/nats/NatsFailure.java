package io.neli.nats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

import io.nats.client.JetStreamApiException;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.jspecify.annotations.Nullable;

/** Describes failures of the stream and of the connection: the property, its value and the fix. */
record NatsFailure(String servers, String stream) {

    private static final int NO_LEADER_OF_THE_CLUSTER = 10008;
    private static final int NOT_ENABLED = 10039;
    private static final int NOT_ENABLED_FOR_ACCOUNT = 10076;

    /** What the client says if no server takes a request for JetStream, or none answers. */
    private static final String UNANSWERED = "no response waiting for NATS JetStream server";

    /** What the client says if it cannot read or use the file with the credentials. */
    private static final String NOT_SIGNED = "Error sending connect string";

    /** What the client says if the server sends more than its first line, which is why it takes no connection. */
    private static final String REFUSED_AT_ONCE = "Read past initial info message";

    /** What servers say to users that they do not know, or no longer. */
    private static final Pattern LOGIN =
            Pattern.compile("(?i)authorization violation|(user|account) authentication (expired|revoked)");

    private static final String CHECK_CREDENTIALS =
            "check neli.nats.credentials, neli.nats.username and neli.nats.password, or neli.nats.token";

    private static final String CHECK_SERVERS =
            "check the network, and that most of the servers run, with JetStream (nats-server -js)";

    /** Subjects whose ends differ from request to request. The problem names the right instead, and stays the same. */
    private static final Pattern OF_REQUEST =
            Pattern.compile("(_INBOX|(\\$JS\\.API\\.CONSUMER\\.\\w+|\\$JS\\.FC|\\$KV|neli)\\.[^.\"]+)\\.[^\"]*");

    /** An error that the server reported while something failed, which may be the cause. */
    static final class Refusal extends IOException {

        private static final long serialVersionUID = 1L;

        Refusal(String what, @Nullable Throwable failure) {
            super(what, failure);
        }
    }

    /** An exception that says why the connection can no longer be used. */
    static UncheckedIOException ofConnection(String why) {
        return new UncheckedIOException(why, new IOException(why));
    }

    Problem of(Throwable failure) {
        for (Throwable cause : Problem.causes(failure).toList()) {
            if (cause instanceof Refusal) {
                return ofRefusal(String.valueOf(cause.getMessage()));
            }
            if (cause instanceof UnusableLogException unusable) {
                return unusable.problem();
            }
            if (cause instanceof JetStreamApiException api) {
                return ofApi(api);
            }
        }
        Throwable wrapped = failure instanceof IllegalStateException ? failure.getCause() : null;
        String messages = shown(Problem.messages(wrapped == null ? failure : wrapped));
        return new Problem(unusable() + messages, fix(messages), true);
    }

    private static String fix(String messages) {
        if (messages.contains(NOT_SIGNED)) {
            return CHECK_CREDENTIALS;
        }
        if (messages.contains(REFUSED_AT_ONCE)) {
            return "see the servers' log for why they take no connection, and check their max_connections";
        }
        return messages.contains(UNANSWERED)
                ? CHECK_SERVERS
                : "check the address, the network, the servers and, with TLS, the certificates";
    }

    /** Hides user names and passwords in addresses. */
    static String shown(String text) {
        return text.replaceAll("//[^,\\s]*@", "//...@");
    }

    private Problem ofApi(JetStreamApiException failure) {
        String what = unusable() + failure.getMessage();
        return switch (failure.getApiErrorCode()) {
            case LeaderStream.NO_REPLICAS_ON_A_SINGLE_SERVER ->
                new Problem(what, "name the servers of a cluster, or set neli.topic.replication-factor to 1", false);
            case LeaderStream.NO_SUITABLE_SERVERS ->
                new Problem(
                        what, "start all servers, or set neli.topic.replication-factor to how many there are", true);
            case NO_LEADER_OF_THE_CLUSTER -> new Problem(what, CHECK_SERVERS, true);
            case NOT_ENABLED, NOT_ENABLED_FOR_ACCOUNT ->
                new Problem(what, "enable JetStream on the servers and for the account (nats-server -js)", false);
            default ->
                new Problem(
                        what,
                        "check the settings of the stream, the limits of the account, and the servers' log",
                        true);
        };
    }

    /** The server has reported an error, such as an unknown user or a missing right. */
    Problem ofRefusal(String why) {
        if (LOGIN.matcher(why).find()) {
            return new Problem(way() + ": the servers refuse this application, " + why, CHECK_CREDENTIALS, false);
        }
        return why.contains("Permissions Violation")
                ? new Problem(
                        way() + ": " + OF_REQUEST.matcher(why).replaceAll("$1.>"),
                        "allow this application's user to publish and subscribe there (docs/nats.md)",
                        false)
                : new Problem(way() + ": the server says " + why, "see the servers' log", true);
    }

    /** The client cannot read the message at {@code sequence}; {@code passed} messages from there on are skipped. */
    Problem ofUnreadable(long sequence, long passed) {
        return new Problem(
                "the stream '" + stream + "', " + way() + ": the headers of message " + sequence
                        + " cannot be read, so " + (passed == 1 ? "it is" : passed + " messages from there on are")
                        + " skipped",
                "find out who writes there, and delete it (nats stream rmm " + stream + " " + sequence + ")",
                true);
    }

    private String unusable() {
        return "the stream '" + stream + "' cannot be used, " + way() + ": ";
    }

    private String way() {
        return "neli.nats.servers is '" + servers + "'";
    }
}
