package io.neli.internal.member;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Rejects settings that are invalid on any servers. The error names the property, its value and the fix. The {@link
 * LogProvider} checks what depends on the servers.
 */
public final class SettingsCheck {

    private static final Pattern METADATA_KEY = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(5);
    private static final Duration SHORTEST_RETENTION = Duration.ofHours(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(100_000); // clients may send it in nanoseconds
    private static final Duration SHORTEST_HANDOVER = Duration.ofMillis(100);
    private static final Duration LONGEST_HANDOVER = Duration.ofDays(1);
    private static final int BEATS_PER_LEASE = 4;
    private static final int MOST_ROLES = 10_000;

    private SettingsCheck() {}

    static NeliException invalid(String property, @Nullable Object value, String problem, String fix) {
        return new NeliException(property + " is '" + text(value) + "': " + problem, fix);
    }

    private static <T extends Comparable<T>> void range(String property, T value, T from, T to, String usually) {
        if (value.compareTo(from) < 0 || value.compareTo(to) > 0) {
            throw invalid(property, value, "it is out of range", "use " + text(from) + " to " + text(to) + usually);
        }
    }

    private static @Nullable Duration positive(String property, @Nullable Duration value, String fix) {
        if (value != null && (value.isNegative() || value.isZero())) {
            throw invalid(property, value, "it must be positive", fix);
        }
        return value;
    }

    public static String groupId(@Nullable String groupId) {
        return text("neli.group-id", groupId, "name the group of members (its default is spring.application.name)");
    }

    static String name(@Nullable String name) {
        return text("neli.name", name, "name this member, or leave the setting out");
    }

    private static String text(String property, @Nullable String value, String fix) {
        if (value == null || value.isBlank()) {
            throw invalid(property, value, "it must not be empty", fix);
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > RecordCodec.LONGEST_NAME) {
            throw invalid(
                    property,
                    value,
                    "it is longer than " + RecordCodec.LONGEST_NAME + " bytes",
                    "choose a shorter one");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw invalid(property, value, "it contains control characters", "use printable ones only");
        }
        if (!new String(bytes, StandardCharsets.UTF_8).equals(value)) { // it would be read back as another text
            throw invalid(property, value, "it contains half a character", "do not cut it within a surrogate pair");
        }
        return value;
    }

    static int partitions(int partitions) {
        range("neli.partitions", partitions, 1, GroupConfig.MOST_PARTITIONS, "");
        return partitions;
    }

    /** Other members may list more roles, so no role may map to another partition in a longer or shorter list. */
    static List<String> extendableRoles(List<String> roles) {
        if (roles.indexOf(Neli.DEFAULT_ROLE) > 0) {
            throw invalid(
                    "neli.roles",
                    roles,
                    "where it is not listed, '" + Neli.DEFAULT_ROLE + "' means the first role",
                    "list it first, or leave it out");
        }
        return roles(roles, GroupConfig.MOST_PARTITIONS);
    }

    static List<String> roles(List<String> roles, int partitions) {
        if (roles.size() > MOST_ROLES) {
            throw invalid(
                    "neli.roles",
                    "a list of " + roles.size(),
                    "it is too long",
                    "use at most " + MOST_ROLES + " roles");
        }
        Set<String> seen = new HashSet<>();
        for (String role : roles) {
            text("neli.roles", role, "remove the entry or give the role a name");
            if (!seen.add(role)) {
                throw invalid("neli.roles", role, "it is listed twice", "remove one of them");
            }
        }
        for (int partition = 0; partition < partitions; partition++) {
            if (seen.contains(Roles.ofPartition(partition))) {
                throw invalid(
                        "neli.roles",
                        Roles.ofPartition(partition),
                        "this name always means the partition itself and needs no listing",
                        "remove it or choose another");
            }
        }
        return roles;
    }

    public static Map<String, String> metadata(Map<String, String> metadata) {
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            String key = entry.getKey();
            if (key == null || !METADATA_KEY.matcher(key).matches()) {
                throw invalid(
                        "neli.metadata",
                        key,
                        "it is not a legal key",
                        "use one or more letters, digits, '.', '_' and '-'");
            }
            if (entry.getValue() == null) {
                throw invalid("neli.metadata." + key, null, "it has no value", "set it, or leave it out");
            }
            size += key.length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > ElectionSettings.LONGEST_METADATA) {
            throw invalid(
                    "neli.metadata",
                    new TreeMap<>(metadata),
                    "its keys and values have " + size + " bytes",
                    "use at most " + ElectionSettings.LONGEST_METADATA + ", because each heartbeat carries them");
        }
        return metadata;
    }

    public static @Nullable Duration workLimit(@Nullable Duration limit, Duration heartbeatInterval) {
        if (limit != null && limit.compareTo(heartbeatInterval) < 0) {
            throw invalid(
                    "neli.work.limit",
                    limit,
                    "it is shorter than neli.heartbeat-interval, which is '" + text(heartbeatInterval) + "'",
                    "make it longer than any work takes, or leave it out");
        }
        return limit;
    }

    public static @Nullable Duration warnAfter(@Nullable Duration warnAfter, @Nullable Duration limit) {
        positive("neli.work.warn-after", warnAfter, "use a time such as 1m, or leave it out");
        if (warnAfter != null && limit != null && warnAfter.compareTo(limit) >= 0) {
            throw invalid(
                    "neli.work.warn-after",
                    warnAfter,
                    "neli.work.limit, which is '" + text(limit) + "', comes first",
                    "make it shorter than the limit, or leave it out");
        }
        return warnAfter;
    }

    public static @Nullable Duration failFast(@Nullable Duration limit) {
        return positive("neli.fail-fast", limit, "use the time that a start may take, such as 30s, or leave it out");
    }

    public static void timing(Duration heartbeatInterval, Duration leaseDuration, Duration handoverTimeout) {
        Duration longestInterval = ElectionSettings.LONGEST_LEASE.dividedBy(BEATS_PER_LEASE);
        range("neli.heartbeat-interval", heartbeatInterval, SHORTEST_INTERVAL, longestInterval, "");
        if (leaseDuration.compareTo(heartbeatInterval.multipliedBy(BEATS_PER_LEASE)) < 0) {
            Duration interval = leaseDuration.dividedBy(BEATS_PER_LEASE).truncatedTo(ChronoUnit.MILLIS);
            throw invalid(
                    "neli.lease-duration",
                    leaseDuration,
                    "it must be at least " + BEATS_PER_LEASE + " times neli.heartbeat-interval, which is '"
                            + text(heartbeatInterval) + "'",
                    "raise the lease to " + text(heartbeatInterval.multipliedBy(BEATS_PER_LEASE))
                            + (interval.compareTo(SHORTEST_INTERVAL) < 0
                                    ? " or more"
                                    : ", or lower the interval to " + text(interval)));
        }
        if (leaseDuration.compareTo(ElectionSettings.LONGEST_LEASE) > 0) {
            throw invalid(
                    "neli.lease-duration",
                    leaseDuration,
                    "it is too long",
                    "use at most " + text(ElectionSettings.LONGEST_LEASE));
        }
        if (!Duration.ofMillis(leaseDuration.toMillis()).equals(leaseDuration)) {
            throw invalid(
                    "neli.lease-duration",
                    leaseDuration,
                    "it must be whole milliseconds",
                    "use " + text(Duration.ofMillis(leaseDuration.toMillis())));
        }
        handoverTimeout(handoverTimeout);
    }

    public static Duration handoverTimeout(Duration timeout) {
        range(
                "neli.handover-timeout",
                timeout,
                SHORTEST_HANDOVER,
                LONGEST_HANDOVER,
                ", longer than work usually takes, such as 20s");
        return timeout;
    }

    public static Duration retention(Duration retention) {
        if (retention.compareTo(SHORTEST_RETENTION) < 0) {
            throw invalid(
                    "neli.topic.retention",
                    retention,
                    "records must outlast every lease",
                    "use " + text(SHORTEST_RETENTION) + " or more");
        }
        if (retention.compareTo(LONGEST_RETENTION) > 0) {
            throw invalid(
                    "neli.topic.retention", retention, "it is too long", "use at most " + text(LONGEST_RETENTION));
        }
        return retention;
    }

    public static @Nullable Integer replicationFactor(@Nullable Integer factor) {
        if (factor != null) {
            range("neli.topic.replication-factor", factor, 1, (int) Short.MAX_VALUE, ", or leave it out");
        }
        return factor;
    }

    /** Rejects Kafka's servers if the group's logs are on servers of another kind. */
    public static void noKafka(@Nullable Object servers) {
        if (servers != null) {
            throw invalid(
                    "neli.kafka.bootstrap-servers",
                    servers,
                    "the group's log is configured to be on other servers, too",
                    "leave out one of them, because all members of a group need the same log");
        }
    }

    private static String text(@Nullable Object value) {
        return value instanceof Duration duration ? Problem.text(duration) : String.valueOf(value);
    }
}
