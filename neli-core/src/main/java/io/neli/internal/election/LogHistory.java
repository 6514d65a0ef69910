package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.neli.LeaderTerm.End;
import org.jspecify.annotations.Nullable;

/**
 * Who led by one log, from when to when. What counts is decided by {@link LogView}, as for any reader; a member leads
 * from its first heartbeat that says so. Belongs to one thread.
 */
public final class LogHistory {

    /** A reader that is no member. */
    private static final MemberId READER = new MemberId("reader", new UUID(0, 0));

    private final List<PastTerm> ended = new ArrayList<>();
    private final LogView view = new LogView();
    private long now;
    private @Nullable Led led;

    /**
     * The term that is led.
     *
     * @param term its end is not known yet
     * @param seen when its latest heartbeat was stored that says that it is led
     * @param silentFrom after when it was last silent for longer than its lease
     * @param silentUntil until when
     */
    private record Led(PastTerm term, long seen, long silentFrom, long silentUntil) {

        /** Whether its lease was over before its latest records, which had been on their way when the log stalled. */
        boolean isFenced(long lease) {
            return silentUntil != PastTerm.BEFORE && seen - silentUntil <= lease;
        }

        PastTerm ended(End how, long lease) {
            return term.lasting(term.acquired(), isFenced(lease) ? silentFrom : seen, how);
        }
    }

    /** Of a log that is read from that offset on. */
    public LogHistory(long start) {
        view.open(new Input.LogOpened(start, start), Duration.ZERO, false, time(0));
    }

    /**
     * The next record.
     *
     * @param millis when the log stored it
     */
    public void read(long offset, Decoded content, long millis) {
        now = Math.max(now, millis); // a broker's clock may have been set back
        if (content instanceof LogRecord record) {
            boolean late = time(now).hasReached(view.holderBound());
            LogView.Read read = view.read(offset, record, READER, "", time(now));
            view.moveTo(offset + 1);
            if (read.newTerm()) {
                end(End.SILENT);
            }
            if (record instanceof LogRecord.Heartbeat heartbeat && heartbeat.leading() && read.effective()) {
                leads(heartbeat, late, read.newTerm());
            } else if (record instanceof LogRecord.Resign && read.ignored() == null && led != null) {
                resigns(led, late);
            }
        }
    }

    private void leads(LogRecord.Heartbeat heartbeat, boolean late, boolean begunBefore) {
        long token = heartbeat.sender().token();
        if (led != null && led.term.token() != token) {
            end(End.SILENT); // the member holds the log still, and leads again
        }
        Led before = led;
        if (before == null) {
            long acquired = begunBefore ? PastTerm.BEFORE : now;
            PastTerm term = new PastTerm(
                    token, heartbeat.member(), heartbeat.grant().metadata(), acquired, PastTerm.NOT_YET, null);
            // Not where its claim was not read: then nobody knows when its lease was over.
            long silent = late && !begunBefore ? now : PastTerm.BEFORE;
            led = new Led(term, now, silent, silent);
        } else if (late) {
            led = new Led(before.term, now, before.seen, now);
        } else {
            led = new Led(before.term, now, before.silentFrom, before.silentUntil);
        }
    }

    private void resigns(Led resigned, boolean late) {
        if (late || resigned.isFenced(lease())) {
            end(End.RESIGNED_AFTER_FENCE);
        } else {
            ended.add(resigned.term.lasting(resigned.term.acquired(), now, End.HANDED_OVER));
            led = null;
        }
    }

    private void end(End how) {
        if (led != null) {
            ended.add(led.ended(how, lease()));
            led = null;
        }
    }

    private long lease() {
        return view.observed == null ? 0 : view.observed.lease().toMillis();
    }

    /**
     * The terms in their order.
     *
     * @param readAt when the log was read up to its end
     */
    List<PastTerm> terms(long readAt) {
        List<PastTerm> terms = new ArrayList<>(ended);
        if (led != null) {
            boolean silent = time(readAt).hasReached(view.holderBound());
            terms.add(silent ? led.ended(End.SILENT, lease()) : led.term);
        }
        return terms;
    }

    private static MonotonicTime time(long millis) {
        return new MonotonicTime(0).plus(Duration.ofMillis(millis));
    }
}
