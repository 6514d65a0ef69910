package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * One span of leadership, as the log tells it.
 *
 * @param token the offset of its claim, which is its fencing token
 * @param holder who claimed it
 * @param resigned whether the holder has given it up
 * @param groupConfig what the claim said; null where the claim itself was not read
 */
public record Term(long token, MemberId holder, boolean resigned, @Nullable GroupConfig groupConfig) {

    /** Stands for no term in a bid. */
    public static final long NONE = -1;

    Term resign() {
        return new Term(token, holder, true, groupConfig);
    }
}
