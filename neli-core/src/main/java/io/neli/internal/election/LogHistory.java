package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.neli.LeaderTerm.End;
import org.jspecify.annotations.Nullable;

/**
 * Who led according to one log, from when to when. {@link LogView} decides which records count. A member leads from its
 * first heartbeat that says so. Used by one thread.
 */
public final class LogHistory {

    /** A reader that is no member. */
    private static final MemberId READER = new MemberId("reader", new UUID(0, 0));

    private final List<PastTerm> ended = new ArrayList<>();
    private final LogView view = new LogView();
    private long now;

    // The term that has not ended yet.

    /** Without its end; null if nobody leads. */
    private @Nullable PastTerm led;
    /** When the log stored its latest heartbeat that says that the member leads. */
    private long seen;
    /** When its last silence of more than a lease began; {@link PastTerm#BEFORE} if there was none. */
    private long silentFrom;
    /** When that silence ended. */
    private long silentUntil;

    /** For a log that is read from that offset on. */
    public LogHistory(long start) {
        view.open(new Input.LogOpened(start, start, false), Duration.ZERO, false, time(0));
    }

    /**
     * Reads the next record.
     *
     * @param millis when the log stored it
     */
    public void read(long offset, Decoded content, long millis) {
        now = Math.max(now, millis); // a broker's clock may have been set back
        if (content instanceof LogRecord record) {
            boolean late = time(now).hasReached(view.holderBound);
            LogView.Read read = view.read(offset, record, READER, "", time(now));
            if (read.newTerm()) {
                end(End.SILENT);
            }
            if (record instanceof LogRecord.Heartbeat heartbeat && heartbeat.leading() && read.effective()) {
                leads(heartbeat, late, read.newTerm());
            } else if (record instanceof LogRecord.Resign && !read.ignored()) {
                end(late || isFenced() ? End.RESIGNED_AFTER_FENCE : End.HANDED_OVER);
            }
        }
    }

    private void leads(LogRecord.Heartbeat heartbeat, boolean late, boolean begunBefore) {
        long token = heartbeat.sender().token();
        if (led != null && led.token() != token) {
            end(End.SILENT); // the member still holds the log, and leads again
        }
        if (led == null) {
            long acquired = begunBefore ? PastTerm.BEFORE : now;
            led = new PastTerm(
                    token, heartbeat.member(), heartbeat.grant().metadata(), acquired, PastTerm.NOT_YET, null);
            // If its claim was not read, it is unknown when its lease was over.
            silentFrom = late && !begunBefore ? now : PastTerm.BEFORE;
            silentUntil = silentFrom;
        } else if (late) {
            silentFrom = seen;
            silentUntil = now;
        }
        seen = now;
    }

    /** Whether its lease ended in that silence. Records stored up to a lease later were only delayed by the log. */
    private boolean isFenced() {
        return silentUntil != PastTerm.BEFORE && seen - silentUntil <= view.lease.toMillis();
    }

    private void end(End how) {
        if (led != null) {
            ended.add(ended(led, how));
            led = null;
        }
    }

    private PastTerm ended(PastTerm term, End how) {
        long lastSeen = isFenced() ? silentFrom : seen;
        return term.lasting(term.acquired(), how == End.HANDED_OVER ? now : lastSeen, how);
    }

    /**
     * The terms in log order.
     *
     * @param readAt when the log was read up to its end
     */
    List<PastTerm> terms(long readAt) {
        List<PastTerm> terms = new ArrayList<>(ended);
        if (led != null) {
            boolean silent = time(readAt).hasReached(view.holderBound);
            terms.add(silent ? ended(led, End.SILENT) : led);
        }
        return terms;
    }

    private static MonotonicTime time(long millis) {
        return new MonotonicTime(0).plus(Duration.ofMillis(millis));
    }
}
