package io.neli.internal.election;

import java.util.List;

/** What can happen to a log. */
public sealed interface Input {

    /**
     * The bounds of the log are known; reading begins.
     *
     * @param start the first offset that will be read
     * @param end the log's end offset
     * @param extendable whether there are earlier records to read if {@link Action.ReadFurtherBack} asks for them
     */
    record LogOpened(long start, long end, boolean extendable) implements Input {}

    /**
     * Records of one poll, in log order.
     *
     * @param position the next offset that will be read
     */
    record RecordsRead(List<LogEntry> entries, long position) implements Input {}

    /**
     * Records were lost: deleted offsets, truncation, another topic. {@link LogOpened} follows when reading begins
     * again.
     */
    record LogLost() implements Input {}
}
