package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/** The state of one log during one step. */
final class LogContext {

    final PartitionContext partition;
    private final int number;

    @Nullable
    LogView log;

    Bids bids;
    OwnTerm ownTerm;
    Outgoing outgoing;
    Ownership ownership;
    Carried carried;
    boolean counts;
    private MonotonicTime unansweredSince;

    LogContext(PartitionContext partition, int number, LogState state) {
        this.partition = partition;
        this.number = number;
        this.log = state.view();
        this.bids = state.bids();
        this.ownTerm = state.ownTerm();
        this.outgoing = state.outgoing();
        this.ownership = state.ownership();
        this.carried = state.carried();
        this.counts = state.counts();
        this.unansweredSince = state.unansweredSince();
    }

    LogState state() {
        return new LogState(log, bids, ownTerm, outgoing, ownership, carried, counts, unansweredSince);
    }

    /** Which of the partition's logs it is. */
    int number() {
        return number;
    }

    MemberId self() {
        return partition.self;
    }

    ElectionSettings settings() {
        return partition.settings;
    }

    Moment now() {
        return partition.now;
    }

    MonotonicTime time() {
        return partition.now.time();
    }

    boolean hasReached(MonotonicTime time) {
        return time().hasReached(time);
    }

    boolean isNonExclusive() {
        return partition.isNonExclusive();
    }

    boolean caughtUp() {
        return log != null && log.caughtUp();
    }

    /** The largest token that was read in it, also before it was closed. */
    long largestToken() {
        return log == null ? carried.largestToken() : log.largestToken();
    }

    /** Whether this member's term is current and not resigned. Otherwise nothing that it writes renews its lease. */
    boolean holds(LogView view) {
        return view.termOffset() == ownTerm.offset() && !view.resigned() && outgoing.resigned() != ownTerm.offset();
    }

    /** Whether this member reads the log, and what it writes arrives, as far as it knows. */
    boolean isReached() {
        return caughtUp() && !hasReached(reachedUntil());
    }

    /** When the log no longer counts as reached, unless a record of this member is read; NEVER if none is awaited. */
    MonotonicTime reachedUntil() {
        return unansweredSince.plusNanos(settings().leaseDuration().toNanos() / 2);
    }

    /** Whether nothing of this member was read since it last wrote something: the log is slow, or it does not work. */
    boolean awaitsAnswer() {
        return !unansweredSince.equals(MonotonicTime.NEVER);
    }

    /** What this member has written is read, or is not awaited any longer. */
    void answered() {
        unansweredSince = MonotonicTime.NEVER;
    }

    /** For a record that is not of a term of its own. */
    LogRecord.Sender sender(LogView view) {
        return sender(view.largestToken(), view);
    }

    LogRecord.Sender sender(long token, LogView view) {
        return new LogRecord.Sender(self(), token, view.longestLease());
    }

    /** What the next claim or heartbeat grants. */
    LogRecord.Grant grant() {
        return new LogRecord.Grant(
                outgoing.nextSequence(now()),
                settings().leaseDuration(),
                partition.config,
                settings().metadata());
    }

    LogIdentity identity() {
        return log == null ? LogIdentity.NONE : log.identity();
    }

    /** The identity that this member would give the log: another one in each term, and at each opening. */
    long freshId(LogView view) {
        long opened = view.unreadLeases().answeredAt().nanos();
        long place = partition.partition * (long) partition.logs.size() + number;
        long id = self().mixed(opened, partition.leadership.token(), place);
        return id == LogIdentity.NO_ID ? 1 : id;
    }

    void readFurtherBack() {
        act(new Action.ReadFurtherBack());
    }

    void renew() {
        act(new Action.Renew());
    }

    void measureHeartbeat(Moment sent) {
        act(new Action.HeartbeatRead(sent.time().until(time())));
    }

    void append(LogRecord content) {
        if (!awaitsAnswer()) {
            unansweredSince = time();
        }
        act(new Action.Append(content));
    }

    void ignore(IgnoredRecord kind) {
        act(new Action.Ignore(kind));
    }

    private void act(Action action) {
        partition.act(number, action);
    }
}
