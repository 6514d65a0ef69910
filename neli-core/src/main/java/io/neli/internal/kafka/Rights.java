package io.neli.internal.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.neli.internal.shell.Problem;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.SaslConfigs;

/** The rights that the election needs from the brokers, and how to grant a missing one. */
final class Rights {

    private static final Pattern USER_NAME = Pattern.compile("username\\s*=\\s*\"([^\"]*)\"");

    private final KafkaSettings settings;

    Rights(KafkaSettings settings) {
        this.settings = settings;
    }

    /** What it needs on an existing topic; READ and WRITE include DESCRIBE. */
    List<AclOperation> onTopic() {
        return settings.shell().candidate()
                ? List.of(AclOperation.READ, AclOperation.WRITE)
                : List.of(AclOperation.READ);
    }

    Problem missingOnTopic(int log, Collection<AclOperation> missing) {
        return new Problem(
                settings.namedTopic(log) + ": " + principal() + " has no right to " + names(missing, " and ")
                        + " on this topic",
                grantOnTopic(missing),
                false);
    }

    /** Without DESCRIBE, the brokers do not say whether the topic exists. */
    Problem missingDescribe(int log) {
        return new Problem(
                settings.namedTopic(log) + ": " + principal() + " has no right to DESCRIBE this topic",
                grantOnTopic(onTopic()) + " (these include it; CREATE is needed too if there is no such topic yet)",
                false);
    }

    Problem missingCreate(int log) {
        return new Problem(
                settings.namedTopic(log) + ": there is no such topic, and " + principal()
                        + " has no right to CREATE it",
                "create it with " + settings.shell().partitions() + " partition(s) beforehand, or "
                        + grantOnTopic(List.of(AclOperation.CREATE)),
                false);
    }

    /** Where the topic has fewer partitions than this member needs. */
    Problem missingAlter(int log, int width) {
        return new Problem(
                settings.tooFewPartitions(settings.shell().topic(log), width) + ", and " + principal()
                        + " has no right to ALTER it",
                "add partitions (" + settings.addPartitions(settings.shell().topic(log)) + "), or "
                        + grantOnTopic(List.of(AclOperation.ALTER)),
                false);
    }

    Problem missingOnGroup() {
        return new Problem(
                principal() + " has no right to READ on the consumer group '" + settings.consumerGroup() + "'",
                grant(List.of(AclOperation.READ), "group '" + settings.consumerGroup() + "'"),
                false);
    }

    Problem missingOnRuns(String what, String topic, Collection<AclOperation> needed) {
        return new Problem(
                what + ": " + principal() + " needs the rights to " + names(needed, ", ") + " on it",
                grant(needed, "topic '" + topic + "'"),
                false);
    }

    /** On all topics, as what is missing on one is usually missing on the others. */
    private String grantOnTopic(Collection<AclOperation> operations) {
        return grant(operations, "topic '" + String.join("' --topic '", settings.topics()) + "'");
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

    /** As whom the brokers know this application, as far as its settings show. */
    String principal() {
        return userName().map(name -> "User:" + name).orElse("this application's principal");
    }

    private Optional<String> userName() {
        Matcher matcher =
                USER_NAME.matcher(String.valueOf(settings.client().getOrDefault(SaslConfigs.SASL_JAAS_CONFIG, "")));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
