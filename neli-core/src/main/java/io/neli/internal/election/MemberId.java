package io.neli.internal.election;

import java.util.UUID;

/**
 * One start of one instance. Only both parts together identify it: a restarted {@code pod-1} is another member.
 *
 * @param name for humans; several members may have the same
 * @param incarnation random, new at each start
 */
public record MemberId(String name, UUID incarnation) {

    public MemberHash hash() {
        return new MemberHash(incarnation.getLeastSignificantBits());
    }

    /** A pseudo-random number that depends on the member and the arguments only. */
    long mixed(long a, long b, long c) {
        long mixed = incarnation.getLeastSignificantBits()
                + 0x9E3779B97F4A7C15L * (a + 2)
                + 0xC2B2AE3D27D4EB4FL * b
                + 0x165667B19E3779F9L * c;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    @Override
    public String toString() {
        return name + "/" + incarnation.toString().substring(0, 8);
    }
}
