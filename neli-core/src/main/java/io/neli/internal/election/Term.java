package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * One span of leadership, as recorded in the log.
 *
 * @param token the offset of its claim, which is its fencing token
 * @param holder who claimed it
 * @param resigned whether the holder has resigned
 * @param groupConfig the group configuration in the claim; null if the claim itself was not read
 */
public record Term(long token, MemberId holder, boolean resigned, @Nullable GroupConfig groupConfig) {

    /** No term: less than any token. */
    public static final long NONE = -1;

    Term resign() {
        return new Term(token, holder, true, groupConfig);
    }
}
