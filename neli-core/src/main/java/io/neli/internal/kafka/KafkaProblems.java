package io.neli.internal.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.neli.internal.election.LogId;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * Turns the failures of Kafka clients into messages: the property, its value, the missing right, and the fix. Checks
 * word what they find themselves.
 */
record KafkaProblems(KafkaSettings settings) {

    private static final String SECURITY_PROTOCOL = "security.protocol";
    /** Instead of Kafka's text, which has the time, so that each attempt would be a new problem. */
    private static final String WRONG_CLOCKS = "the brokers' clocks are far from this member's";

    private static final String IS_WRITABLE = "has a leader and enough in-sync replicas (kafka-topics.sh --describe)";

    private static final String SET_CLOCKS = "set the clocks to the right time";

    /** Kafka's text quotes what it takes for a key or a flag, which may be a part of the password. */
    private static final Pattern QUOTED_FROM_JAAS = Pattern.compile("'.*' in JAAS config", Pattern.DOTALL);

    private static final String HIDDEN_FROM_JAAS =
            "'...' in JAAS config, where a quotation mark or a backslash within a value needs a backslash before it";

    private static final Pattern USER_NAME = Pattern.compile("username\\s*=\\s*\"([^\"]*)\"");

    Problem ofWriting(int number, Throwable failure) {
        return isRefused(failure) ? missingOnTopic(number, List.of(AclOperation.WRITE)) : ofTopic(number, failure);
    }

    /** Whether a right is missing. For a producer that may not write to any topic, the refusal is the cause. */
    static boolean isRefused(Throwable failure) {
        return failure instanceof AuthorizationException || failure.getCause() instanceof AuthorizationException;
    }

    Problem ofTopic(int number, Throwable failure) {
        if (failure instanceof UnusableLogException unusable) {
            return unusable.problem();
        }
        if (failure instanceof AuthorizationException) {
            return missingOnTopic(number, List.of(AclOperation.READ));
        }
        Throwable cause = cause(failure);
        if (cause instanceof AuthenticationException) {
            return ofLogin(cause);
        }
        if (failure instanceof InvalidTimestampException) {
            return lasting(settings.namedTopic(number) + ": " + WRONG_CLOCKS, SET_CLOCKS);
        }
        boolean answered = failure instanceof ApiException && !(failure instanceof UnsupportedVersionException);
        if (answered && !(cause instanceof RetriableException)) {
            return lasting(
                    settings.namedTopic(number) + ": the brokers refuse a request, " + failure,
                    "check the settings of the topic, such as max.message.bytes, and see the brokers' log");
        }
        if (failure instanceof KafkaException && !(cause instanceof RetriableException)) {
            return lasting(
                    way() + ": the Kafka client cannot be used, " + messages(cause),
                    "check the addresses (host:port) and the properties under neli.kafka");
        }
        return new Problem(
                "the leader topic '" + settings.shell().topic(number) + "' cannot be reached, " + way() + ": "
                        + withoutTimes(cause),
                "check the address, the network, the brokers, that they speak this protocol, and that the topic "
                        + IS_WRITABLE,
                cause instanceof RetriableException);
    }

    private Problem ofLogin(Throwable cause) {
        if (cause instanceof SslAuthenticationException) {
            return lasting(
                    way() + ": " + messages(cause),
                    "the trust store (an SSL bundle, or ssl.truststore.*) must hold the authority that signed the"
                            + " brokers' certificates, these must name the hosts, and the brokers may ask for a"
                            + " certificate of this application (the key store)");
        }
        return lasting(
                way() + " and " + SaslConfigs.SASL_MECHANISM + " is '"
                        + client(SaslConfigs.SASL_MECHANISM, SaslConfigs.DEFAULT_SASL_MECHANISM) + "', for "
                        + principal() + ": " + cause.getMessage(),
                "check the protocol, the mechanism, and the name and password in " + SaslConfigs.SASL_JAAS_CONFIG);
    }

    /**
     * For partitions that cannot be led or, without a quorum, cannot be read or written.
     *
     * @param createdAgain the numbers of logs that do not count, because the others do not know them yet
     * @param majorityWorks whether enough logs work, except to lead the group for the first time
     * @param causes the known causes
     */
    Problem ofPartitions(
            Set<Integer> lost, Set<Integer> createdAgain, boolean majorityWorks, Collection<Problem> causes) {
        String which = " of the " + settings.shell().quorum() + " logs (neli.quorum) of the partitions " + lost;
        String what = "fewer than " + settings.shell().majority() + which + " can be read and written";
        String fix = "check that each has a leader (kafka-topics.sh --describe), and the brokers' log";
        if (!settings.isQuorum()) {
            what = "its partitions " + lost + " cannot be read and written";
        } else if (!createdAgain.isEmpty()) {
            List<String> names =
                    createdAgain.stream().sorted().map(settings.shell()::topic).toList();
            what = "too few" + which + " are known to the group: those in " + names + " were created again";
            fix =
                    "start the brokers of the others; if these are gone for good, stop all members, delete all of the topics "
                            + settings.shell().topics() + ", and start the members again";
        } else if (majorityWorks) {
            what = "not all" + which
                    + " can be read and written, as they must before the group is led for the first time";
        }
        return passing(
                settings.namedTopic(0) + ": " + what + inBrackets(causes) + ", so this member sees no leader there",
                fix(causes).orElse(fix));
    }

    /**
     * For logs that do not work, while their partitions are led with the others.
     *
     * @param brokers the known brokers of a topic, by log number
     * @param causes the known causes
     */
    Problem ofLogs(Collection<LogId> logs, IntFunction<Set<Integer>> brokers, Collection<Problem> causes) {
        Map<Integer, Set<Integer>> partitions = logs.stream()
                .collect(Collectors.groupingBy(
                        LogId::log,
                        TreeMap::new,
                        Collectors.mapping(LogId::partition, Collectors.toCollection(TreeSet::new))));
        List<String> which = new ArrayList<>();
        partitions.forEach((number, missing) -> {
            Set<Integer> ids = new TreeSet<>(brokers.apply(number));
            String on = ids.isEmpty() ? "" : " on brokers " + ids;
            which.add("'" + settings.shell().topic(number) + "' partitions " + missing + on);
        });
        return passing(
                settings.namedQuorum() + ": these logs are silent or cannot be used, " + String.join(", ", which)
                        + inBrackets(causes) + "; leadership continues with the others",
                fix(causes)
                        .orElse(
                                partitions.size() > 1
                                        ? "start the brokers; delete none of the topics: each has logs that are needed"
                                        : "start the broker; if it is gone for good, delete the topic, which is then"
                                                + " created again on another (docs/operations.md)"));
    }

    private static String inBrackets(Collection<Problem> causes) {
        String why = causes.stream().map(Problem::what).collect(Collectors.joining("; "));
        return why.isEmpty() ? "" : " (" + why + ")";
    }

    /** The fix of the first cause that does not pass by itself. */
    private static Optional<String> fix(Collection<Problem> causes) {
        return causes.stream()
                .filter(cause -> !cause.passing())
                .map(Problem::fix)
                .findFirst();
    }

    Problem ofGroup(Throwable failure) {
        String named = "the consumer group '" + settings.consumerGroup() + "'";
        if (failure instanceof InconsistentGroupProtocolException) {
            return lasting(
                    "consumers that do not belong to the election use its consumer group '" + settings.consumerGroup()
                            + "'",
                    "have them use another group, or set neli.group-id to a name whose group nothing else uses");
        }
        if (failure instanceof GroupAuthorizationException) {
            return lasting(
                    principal() + " has no right to READ on " + named,
                    grant(List.of(AclOperation.READ), "group '" + settings.consumerGroup() + "'"));
        }
        if (failure instanceof AuthorizationException || failure instanceof AuthenticationException) {
            return ofTopic(0, failure);
        }
        return new Problem(
                named + " cannot be joined: " + failure,
                "see the brokers' log; leadership does not depend on it",
                failure instanceof RetriableException);
    }

    /** The rights that this member needs on an existing topic. READ and WRITE include DESCRIBE. */
    List<AclOperation> rightsOnTopic() {
        return settings.shell().candidate()
                ? List.of(AclOperation.READ, AclOperation.WRITE)
                : List.of(AclOperation.READ);
    }

    Problem missingOnTopic(int number, Collection<AclOperation> missing) {
        return lasting(
                settings.namedTopic(number) + ": " + principal() + " has no right to " + names(missing, " and ")
                        + " on this topic",
                grantOnTopic(missing));
    }

    /** Without DESCRIBE, the brokers do not say whether the topic exists. */
    Problem missingDescribe(int number) {
        return lasting(
                settings.namedTopic(number) + ": " + principal() + " has no right to DESCRIBE this topic",
                grantOnTopic(rightsOnTopic())
                        + " (these include it; CREATE is needed too if there is no such topic yet)");
    }

    /** For the topic that records the runs of jobs. */
    Problem ofRuns(String topic, Throwable failure) {
        if (failure instanceof UnusableLogException unusable) {
            return unusable.problem();
        }
        String what = "the topic '" + topic + "' for the runs of jobs cannot be used: ";
        if (isRefused(failure)) {
            List<AclOperation> needed =
                    List.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE);
            return lasting(
                    what + principal() + " needs the rights to " + names(needed, ", ") + " on it",
                    grant(needed, "topic '" + topic + "'"));
        }
        if (failure instanceof AuthenticationException) {
            return ofTopic(0, failure);
        }
        if (failure instanceof InvalidTimestampException) {
            return passing(what + WRONG_CLOCKS, SET_CLOCKS);
        }
        return passing(
                what + withoutTimes(failure),
                "jobs wait until it can; check the brokers, and that the topic exists and " + IS_WRITABLE);
    }

    Problem missingCreate(int number) {
        return lasting(
                settings.namedTopic(number) + ": there is no such topic, and " + principal()
                        + " has no right to CREATE it",
                "create it with " + settings.shell().partitions() + " partition(s) beforehand, or "
                        + grantOnTopic(List.of(AclOperation.CREATE)));
    }

    /**
     * The topic has fewer partitions than this member needs.
     *
     * @param why the failure to add partitions; null if this member adds none
     */
    Problem ofWidth(int number, int width, @Nullable RuntimeException why) {
        String topic = settings.shell().topic(number);
        String what =
                "neli.partitions is '" + settings.shell().partitions() + "' (by default the number of neli.roles): "
                        + "the topic '" + topic + "' has only " + width + ", so only these are led, and ";
        String command = "kafka-topics.sh --bootstrap-server " + settings.bootstrapServers() + " --alter --topic "
                + topic + " --partitions " + settings.shell().partitions();
        if (why instanceof AuthorizationException) {
            return lasting(
                    what + principal() + " has no right to ALTER it",
                    "add partitions (" + command + "), or " + grantOnTopic(List.of(AclOperation.ALTER)));
        }
        if (why != null) {
            return passing(
                    what + "adding more has failed: " + withoutTimes(why),
                    "it is tried again; or add them: " + command);
        }
        if (!settings.createTopic()) {
            return lasting(what + "neli.topic.create is 'false'", "add partitions: " + command);
        }
        return passing(
                what + "an observer (neli.candidate is 'false') adds none",
                "start a member that may lead, which adds them");
    }

    /** Names all topics, because a right missing on one is usually missing on the others. */
    private String grantOnTopic(Collection<AclOperation> operations) {
        return grant(
                operations,
                "topic '" + String.join("' --topic '", settings.shell().topics()) + "'");
    }

    private String grant(Collection<AclOperation> operations, String resource) {
        return "grant " + names(operations, " and ") + ": kafka-acls.sh --bootstrap-server "
                + settings.bootstrapServers() + " --add --allow-principal '"
                + userName().map(name -> "User:" + name).orElse("User:...") + "' --operation "
                + names(operations, " --operation ") + " --" + resource;
    }

    private static String names(Collection<AclOperation> operations, String between) {
        return operations.stream().map(AclOperation::name).collect(Collectors.joining(between));
    }

    /** The name by which the brokers know this application, if its settings show it. */
    private String principal() {
        return userName().map(name -> "User:" + name).orElse("this application's principal");
    }

    private Optional<String> userName() {
        Matcher matcher = USER_NAME.matcher(client(SaslConfigs.SASL_JAAS_CONFIG, ""));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private String way() {
        return "bootstrap.servers is '" + settings.bootstrapServers()
                + "' (by neli.kafka, spring.kafka or connection details) and " + SECURITY_PROTOCOL + " is '"
                + client(SECURITY_PROTOCOL, "PLAINTEXT") + "'";
    }

    private String client(String property, String otherwise) {
        return String.valueOf(settings.client().getOrDefault(property, otherwise));
    }

    /** Removes the times of a call from Kafka's text, which would make each attempt a new problem. */
    private static String withoutTimes(Throwable cause) {
        return cause.toString()
                .replaceAll("Call\\(callName=(\\w+)[^)]*\\)", "the call '$1'")
                .replaceAll(" at \\d+ after \\d+ attempt\\(s\\)", "");
    }

    private static Problem passing(String what, String fix) {
        return new Problem(what, fix, true);
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

    /** Leaves out what may be a part of a password. */
    private static String messages(Throwable failure) {
        return QUOTED_FROM_JAAS.matcher(Problem.messages(failure)).replaceAll(HIDDEN_FROM_JAAS);
    }
}
