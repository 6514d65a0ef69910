package io.neli.internal.election;

import java.time.Duration;
import java.util.Map;

import io.neli.internal.election.LogRecord.Grant;
import io.neli.internal.election.LogRecord.Sender;
import org.jspecify.annotations.Nullable;

/** Creates records like those of members that know nothing of the log. */
public final class Records {

    /** The token of records unless another one is given. */
    public static final long TOKEN = 1;

    private Records() {}

    public static LogRecord.Claim claim(MemberId member, long sequence, Duration lease, PartitionConfig config) {
        return claim(member, sequence, lease, config, TOKEN);
    }

    public static LogRecord.Claim claim(
            MemberId member, long sequence, Duration lease, PartitionConfig config, long token) {
        return new LogRecord.Claim(new Sender(member, token, lease), grant(sequence, lease, config));
    }

    public static LogRecord.Heartbeat heartbeat(
            MemberId member,
            long sequence,
            Duration lease,
            PartitionConfig config,
            long term,
            boolean leading,
            long upTo) {
        return new LogRecord.Heartbeat(
                new Sender(member, TOKEN, lease), grant(sequence, lease, config), term, leading, upTo, null);
    }

    /** A heartbeat of a member with the group configuration of {@link OnePartition}. */
    static LogRecord.Heartbeat heartbeat(
            MemberId member, long sequence, Duration lease, long term, boolean leading, long upTo) {
        return heartbeat(member, sequence, lease, OnePartition.GROUP_CONFIG.of(0), term, leading, upTo);
    }

    private static Grant grant(long sequence, Duration lease, PartitionConfig config) {
        return new Grant(sequence, lease, config, Map.of());
    }

    public static LogRecord.Resign resign(MemberId member, long term) {
        return resign(member, term, null);
    }

    static LogRecord.Resign resign(MemberId member, long term, @Nullable MemberId successor) {
        return new LogRecord.Resign(sender(member), term, successor == null ? null : successor.hash());
    }

    public static LogRecord.Bid bid(MemberId member, long term) {
        return new LogRecord.Bid(sender(member), term);
    }

    /** Whether those of the log say that the set of logs is complete, so that a majority is enough to lead. */
    public static boolean sayComplete(LogState log) {
        LogSet read = log.view.identity.logSet();
        return read != null && read.complete();
    }

    private static Sender sender(MemberId member) {
        return new Sender(member, TOKEN, Duration.ofMillis(1));
    }
}
