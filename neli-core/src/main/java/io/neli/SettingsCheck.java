package io.neli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.neli.protocol.Agreement;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.RecordCodec;
import org.jspecify.annotations.Nullable;

/** Refuses settings that cannot work, with the name of the property, its value and the fix. */
final class SettingsCheck {

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(5);
    private static final Duration SHORTEST_RETENTION = Duration.ofHours(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(365_000);
    private static final Duration LONGEST_HANDOVER = Duration.ofDays(1);
    private static final int BEATS_PER_LEASE = 4;
    private static final int MOST_ROLES = 10_000;

    private SettingsCheck() {}

    static String groupId(@Nullable String groupId) {
        return text("neli.group-id", groupId, "name the group of members that contend for the lead");
    }

    static String name(@Nullable String name) {
        return text("neli.name", name, "name this member, or leave the setting out");
    }

    private static String text(String property, @Nullable String value, String fix) {
        if (value == null || value.isBlank()) {
            throw new NeliConfigurationException(property, String.valueOf(value), "it must not be empty; " + fix);
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > RecordCodec.LONGEST_NAME) {
            throw new NeliConfigurationException(
                    property, value, "it is longer than " + RecordCodec.LONGEST_NAME + " bytes; choose a shorter one");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new NeliConfigurationException(
                    property, value, "it contains control characters; use printable ones only");
        }
        return value;
    }

    static String topic(String topic) {
        if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
            throw new NeliConfigurationException(
                    "neli.topic",
                    topic,
                    "not a legal name of a Kafka topic; use at most 249 letters, digits, '.', '_' and '-'"
                            + " (by default it is neli.group-id with '.neli' behind it)");
        }
        return topic;
    }

    static void partitions(int partitions) {
        if (partitions < 1 || partitions > Agreement.MOST_PARTITIONS) {
            throw new NeliConfigurationException(
                    "neli.partitions", partitions, "there must be at least 1 and at most " + Agreement.MOST_PARTITIONS);
        }
    }

    static List<String> roles(List<String> roles, int partitions) {
        if (roles.size() > MOST_ROLES) {
            throw new NeliConfigurationException(
                    "neli.roles", "a list of " + roles.size(), "use at most " + MOST_ROLES + " roles");
        }
        Set<String> seen = new HashSet<>();
        for (String role : roles) {
            text("neli.roles", role, "remove the entry or give the role a name");
            if (!seen.add(role)) {
                throw new NeliConfigurationException("neli.roles", role, "it is listed twice; remove one of them");
            }
        }
        for (int partition = 0; partition < partitions; partition++) {
            if (seen.contains(Roles.ownName(partition))) {
                throw new NeliConfigurationException(
                        "neli.roles",
                        Roles.ownName(partition),
                        "this name always denotes the partition itself and needs no listing; remove it or choose"
                                + " another");
            }
        }
        return roles;
    }

    static void workLimit(@Nullable Duration limit, Duration interval) {
        if (limit != null && limit.compareTo(interval) < 0) {
            throw new NeliConfigurationException(
                    "neli.task.limit",
                    text(limit),
                    "it must be at least neli.heartbeat-interval, which is '" + text(interval)
                            + "', and longer than any work takes; or leave it out");
        }
    }

    static void failFast(@Nullable Duration limit) {
        if (limit != null && (limit.isNegative() || limit.isZero())) {
            throw new NeliConfigurationException(
                    "neli.fail-fast", text(limit), "it must be longer than nothing, to let the brokers answer");
        }
    }

    static void timing(Duration interval, Duration timeout, Duration handover) {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new NeliConfigurationException(
                    "neli.heartbeat-interval", text(interval), "it must be at least " + text(SHORTEST_INTERVAL));
        }
        if (interval.compareTo(ElectionSettings.LONGEST_LEASE.dividedBy(BEATS_PER_LEASE)) > 0) {
            throw new NeliConfigurationException(
                    "neli.heartbeat-interval",
                    text(interval),
                    "it must be at most " + text(ElectionSettings.LONGEST_LEASE.dividedBy(BEATS_PER_LEASE)));
        }
        if (timeout.compareTo(interval.multipliedBy(BEATS_PER_LEASE)) < 0) {
            throw new NeliConfigurationException(
                    "neli.heartbeat-timeout",
                    text(timeout),
                    "it must be at least " + BEATS_PER_LEASE + " times neli.heartbeat-interval, which is '"
                            + text(interval) + "'; raise the timeout to "
                            + text(interval.multipliedBy(BEATS_PER_LEASE)) + " or lower the interval to "
                            + text(timeout.dividedBy(BEATS_PER_LEASE)));
        }
        if (timeout.compareTo(ElectionSettings.LONGEST_LEASE) > 0) {
            throw new NeliConfigurationException(
                    "neli.heartbeat-timeout",
                    text(timeout),
                    "it must be at most " + text(ElectionSettings.LONGEST_LEASE));
        }
        if (!Duration.ofMillis(timeout.toMillis()).equals(timeout)) {
            throw new NeliConfigurationException(
                    "neli.heartbeat-timeout", timeout, "it must be whole milliseconds; use " + text(timeout));
        }
        if (handover.isNegative() || handover.isZero() || handover.compareTo(LONGEST_HANDOVER) > 0) {
            throw new NeliConfigurationException(
                    "neli.handover-timeout",
                    text(handover),
                    "it must be more than nothing and at most " + text(LONGEST_HANDOVER));
        }
    }

    static Duration retention(Duration retention) {
        if (retention.compareTo(SHORTEST_RETENTION) < 0) {
            throw new NeliConfigurationException(
                    "neli.topic-creation.retention",
                    text(retention),
                    "records must outlast every lease; use " + text(SHORTEST_RETENTION) + " or more");
        }
        if (retention.compareTo(LONGEST_RETENTION) > 0) {
            throw new NeliConfigurationException(
                    "neli.topic-creation.retention", text(retention), "use at most " + text(LONGEST_RETENTION));
        }
        return retention;
    }

    static @Nullable Integer replicationFactor(@Nullable Integer factor) {
        if (factor != null && (factor < 1 || factor > Short.MAX_VALUE)) {
            throw new NeliConfigurationException(
                    "neli.topic-creation.replication-factor", factor, "it must be at least 1; or leave it out");
        }
        return factor;
    }

    static void bootstrapServers(@Nullable Object servers) {
        if (servers == null || servers.toString().isBlank()) {
            throw new NeliConfigurationException(
                    "neli.kafka.bootstrap-servers",
                    String.valueOf(servers),
                    "it must not be empty; name at least one broker as host:port");
        }
    }

    /** As it is written in a configuration file: 500ms, 3s. */
    static String text(Duration duration) {
        return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
