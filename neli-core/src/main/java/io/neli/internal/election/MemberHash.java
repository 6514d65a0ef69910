package io.neli.internal.election;

/**
 * A short name of a member, where its whole identity would be too long: half of its random incarnation. If two members
 * had the same, both would consider themselves owner or invited, which costs a change of leader.
 *
 * @param bits 62 of them are random
 */
public record MemberHash(long bits) {

    @Override
    public String toString() {
        return String.format("%016x", bits);
    }
}
