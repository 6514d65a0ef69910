package io.neli.internal.election;

import java.util.Comparator;
import java.util.UUID;

/**
 * One start of one instance. Only both parts together identify it: a restarted {@code pod-1} is another member.
 *
 * @param name for people
 * @param incarnation random, new at each start
 */
public record MemberId(String name, UUID incarnation) implements Comparable<MemberId> {

    private static final Comparator<MemberId> ORDER =
            Comparator.comparing(MemberId::name).thenComparing(MemberId::incarnation);

    /** A short name of this member, for others of its group. */
    public MemberHash hash() {
        return new MemberHash(incarnation.getLeastSignificantBits());
    }

    @Override
    public int compareTo(MemberId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return name + "/" + incarnation.toString().substring(0, 8);
    }
}
