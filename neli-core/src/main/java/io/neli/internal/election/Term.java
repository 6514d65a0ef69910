package io.neli.internal.election;

import java.util.Map;

/**
 * One span of leadership, as recorded in the log.
 *
 * @param offset the offset of its claim, which names the term within the log
 * @param token its fencing token: the largest in its effective records that were read
 * @param holder who claimed it
 * @param resigned whether the holder has resigned
 * @param config the configuration that the holder expects of the others
 * @param metadata what the holder tells about itself
 */
public record Term(
        long offset,
        long token,
        MemberId holder,
        boolean resigned,
        PartitionConfig config,
        Map<String, String> metadata) {

    /** No term: less than any offset and any token. */
    public static final long NONE = -1;

    /** Its token is the largest in its effective records. */
    Term withToken(long other) {
        return other <= token ? this : new Term(offset, other, holder, resigned, config, metadata);
    }

    Term resign() {
        return new Term(offset, token, holder, true, config, metadata);
    }
}
