package io.neli.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The brokers and topics that hold the election's log. */
public enum Arrangement {
    /** One topic with a replica on each broker, two of which must be in sync. */
    REPLICATED,
    /** Three topics with one replica each, on three brokers. */
    QUORUM,
    /** A quorum on three of four brokers that a {@link Firewall} can separate. Only the fourth is a controller. */
    SPLIT;

    /** Arrangements on three brokers, each of which is also a controller. */
    public static final List<Arrangement> ON_THREE = List.of(REPLICATED, QUORUM);

    public static Arrangement of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The topics of a group. */
    public List<String> topics(String group) {
        String first = group + ".neli";
        return this == REPLICATED ? List.of(first) : List.of(first, first + ".1", first + ".2");
    }

    /** On four brokers the lease is longer: with three members on the same machine, leading again takes longer. */
    Duration lease() {
        return Duration.ofMillis(this == SPLIT ? 1_000 : 500);
    }

    /** The kinds of faults that are possible here. */
    List<FaultKind> kinds() {
        return Stream.of(FaultKind.values())
                .filter(kind -> this == SPLIT
                        ? kind.needsFirewall() || kind == FaultKind.MEMBER_KILLED || kind == FaultKind.MEMBER_FROZEN
                        : !kind.needsFirewall())
                .toList();
    }

    /** Options for the members, as {@code key=value}. */
    public List<String> options() {
        return this == REPLICATED ? List.of() : List.of("quorum=3");
    }

    /**
     * Whether two may lead for a moment when a topic is deleted under its members, as docs/guarantees.md says: with a
     * single log, nothing remains of the record that granted the lease.
     */
    boolean relaxesTopicDeletion() {
        return this == REPLICATED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
