package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the election of one partition by hand. Times are milliseconds. The log contains what the test makes it read.
 */
final class OnePartition {

    static final MemberId ME = new MemberId("me", new UUID(0, 1));
    static final MemberId OTHER = new MemberId("other", new UUID(0, 2));
    static final MemberId THIRD = new MemberId("third", new UUID(0, 3));
    static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "roles", 1);
    static final long LEASE = 1_000;
    static final long INTERVAL = 200;
    static final long HANDOVER_TIMEOUT = 5_000;

    private static final Eligibility ELIGIBLE = new Eligibility(true, true, Restraint.NONE, false, Conflict.NONE);

    private final ElectionSettings settings;
    private final PartitionConfig config;
    private final List<Action> actions = new ArrayList<>();
    private final Set<Long> fencedTokens = new HashSet<>();
    private PartitionState state;
    private MonotonicTime deadline = MonotonicTime.NEVER;
    private long now = 10_000;
    private long nanos;
    private long wall = 1_700_000_000_000L;
    private long end;
    private final Map<Long, Long> termOfToken = new HashMap<>();

    private OnePartition(Mode mode) {
        settings = settings(new GroupConfig(mode, 1, "roles", 1));
        config = settings.groupConfig().of(0);
        state = new PartitionState(1, ELIGIBLE);
    }

    static ElectionSettings settings(GroupConfig groupConfig) {
        return new ElectionSettings(
                Duration.ofMillis(LEASE),
                Duration.ofMillis(INTERVAL),
                Duration.ofMillis(HANDOVER_TIMEOUT),
                groupConfig,
                Map.of());
    }

    /** The log is not open yet. */
    static OnePartition unopened() {
        return new OnePartition(Mode.EXCLUSIVE);
    }

    /** Eligible, on a log that was empty. */
    static OnePartition fresh() {
        return unopened().opens(0, 0);
    }

    /** As {@link #fresh()}, in non-exclusive mode. */
    static OnePartition freshNonExclusive() {
        return new OnePartition(Mode.NON_EXCLUSIVE).opens(0, 0);
    }

    /** Eligible, on a log whose first hundred records it has not read. */
    static OnePartition young() {
        return unopened().opens(100, 100);
    }

    /** Follows a leader whose claim it has just read. */
    static OnePartition following(MemberId leader) {
        OnePartition partition = fresh();
        partition.readsClaim(leader);
        partition.forget();
        return partition;
    }

    static OnePartition leading() {
        OnePartition partition = fresh();
        partition.takesLeadership();
        return partition;
    }

    /** Bids for, claims and leads a partition that it finds vacant. */
    long takesLeadership() {
        long token = claimsAndReads();
        assertThat(state()).isEqualTo(State.LEADING);
        forget();
        return token;
    }

    /** Runs from the bid until its claim is read back; returns the token. */
    long claimsAndReads() {
        if (!log().bids.isFirst(ME)) {
            waitsToBid();
        }
        return reads(claimed());
    }

    /** Waits until it bids, and reads the bid back; returns how long it waited. */
    long waitsToBid() {
        long from = now;
        for (int steps = 0; steps < 20; steps++) {
            List<LogRecord> sent = appends();
            if (!sent.isEmpty()) {
                assertThat(sent).hasSize(1).first().isInstanceOf(LogRecord.Bid.class);
                reads(sent.get(0));
                return now - from;
            }
            passesTo((deadline.nanos() + 999_999) / 1_000_000);
        }
        throw new AssertionError("never bids");
    }

    /** The claim that it has just sent. */
    LogRecord.Claim claimed() {
        List<LogRecord> sent = appends();
        assertThat(sent).hasSize(1);
        return (LogRecord.Claim) sent.get(0);
    }

    /** Claims the term that it follows before the leader's lease is over; the claim is not read back. */
    LogRecord.Claim claimsWhileOthersMayLead() {
        passes(700);
        waitsToBid();
        passes(100);
        return claimed();
    }

    /** The leader that it knows of; null if none. */
    @Nullable
    MemberId leader() {
        Term led = state.ledAt(moment(), ME);
        return led == null ? null : led.holder();
    }

    // Inputs.

    OnePartition opens(long start, long logEnd) {
        end = logEnd;
        step(new Input.LogOpened(start, logEnd, false));
        actions.removeIf(
                action -> action instanceof Action.Append append && append.content() instanceof LogRecord.Hello);
        return this;
    }

    /** Opens only the last records of a longer log. */
    void opensLast(long start, long logEnd) {
        end = logEnd;
        step(new Input.LogOpened(start, logEnd, true));
    }

    void losesLog() {
        step(new Input.LogLost());
    }

    /** Reads a record at the log's end; returns its offset. */
    long reads(Decoded content) {
        return readsAt(end, content);
    }

    long readsAt(long offset, Decoded content) {
        end = offset + 1;
        step(new Input.RecordsRead(List.of(new LogEntry(offset, content)), end));
        return offset;
    }

    /** Reads up to {@code position}, but the records there are unreadable or gone. */
    void readsNothingUpTo(long position) {
        step(new Input.RecordsRead(List.of(), position));
    }

    /** Reads several records in one poll. */
    void readsTogether(Decoded... contents) {
        List<LogEntry> entries = new ArrayList<>();
        for (Decoded content : contents) {
            entries.add(new LogEntry(end++, content));
        }
        step(new Input.RecordsRead(entries, end));
    }

    long readsClaim(MemberId member) {
        return readsClaim(member, LEASE);
    }

    long readsClaim(MemberId member, long lease) {
        return reads(Records.claim(member, 0, Duration.ofMillis(lease), config));
    }

    void readsHeartbeat(MemberId member, long term) {
        reads(heartbeat(member, term, LEASE));
    }

    /** Reads a heartbeat whose sender says that it leads. */
    void readsThatLeads(MemberId member, long term) {
        reads(Records.heartbeat(member, 1, Duration.ofMillis(LEASE), config, term, true, 0));
    }

    void readsBid(MemberId member, long term) {
        reads(Records.bid(member, term));
    }

    void readsResign(MemberId member, long term) {
        reads(Records.resign(member, term));
    }

    static LogRecord.Claim claim(MemberId member, long token) {
        return Records.claim(member, 0, Duration.ofMillis(LEASE), GROUP_CONFIG.of(0), token);
    }

    static LogRecord.Heartbeat heartbeat(MemberId member, long term, long lease) {
        return Records.heartbeat(member, 1, Duration.ofMillis(lease), term, false, 0);
    }

    void assigned(@Nullable MemberId owner, @Nullable Long countedTerm) {
        assigned(owner, countedTerm, true);
    }

    void assigned(@Nullable MemberId owner, @Nullable Long countedTerm, @Nullable Boolean countedEligible) {
        assigned(owner, countedTerm, null, false, countedEligible);
    }

    void assigned(@Nullable MemberId owner, @Nullable MemberId deputy, long countedTerm) {
        assigned(owner, countedTerm, deputy, false, true);
    }

    /** Gets an assignment that knows no other eligible member. */
    void assignedAlone(MemberId owner, long countedTerm) {
        assigned(owner, countedTerm, null, true, true);
    }

    private void assigned(
            @Nullable MemberId owner,
            @Nullable Long countedTerm,
            @Nullable MemberId deputy,
            boolean alone,
            @Nullable Boolean countedEligible) {
        Long token = countedTerm == null ? null : (Long) tokenOf(countedTerm);
        MemberPlan.Share share = new MemberPlan.Share(hash(owner), token, hash(deputy));
        step(context -> LeaderRules.assigned(context, share, alone, countedEligible));
    }

    private static @Nullable MemberHash hash(@Nullable MemberId member) {
        return member == null ? null : member.hash();
    }

    void pauses() {
        becomes(new Eligibility(true, true, new Restraint(true, MonotonicTime.PAST), false, Conflict.NONE));
    }

    void resumes() {
        becomes(ELIGIBLE);
    }

    void becomes(Eligibility eligibility) {
        step(context -> LogRules.eligibilityChanged(context, eligibility));
    }

    /** Reports drained work as the gate does: as the work of a fence if one was announced. */
    void drained(long token) {
        drained(token, fencedTokens.contains(tokenOf(token)));
    }

    void drained(long token, boolean fenced) {
        step(context -> LeaderRules.drained(context, tokenOf(token), fenced));
    }

    /** The work of a fenced term ends, and the resignation is read back. */
    void fencedWorkEnds(long term) {
        drained(term);
        List<Action.Append> resigned = actions.stream()
                .filter(Action.Append.class::isInstance)
                .map(Action.Append.class::cast)
                .filter(append -> append.content() instanceof LogRecord.Resign)
                .toList();
        assertThat(resigned).hasSize(1);
        actions.removeAll(resigned);
        reads(resigned.get(0).content());
    }

    void passes(long millis) {
        passesTo(now + millis);
    }

    void passesTo(long instant) {
        // Monotonic and wall time advance together, unless a test changes that.
        wall += Math.max(0, instant - now);
        now = Math.max(now, instant);
        // The election is called at the deadline that it has set, and not before.
        if (moment().time().hasReached(deadline)) {
            step(context -> {});
        }
    }

    /** Time passes in small steps, and every heartbeat sent is read back immediately. */
    void leadsOn(long millis) {
        long until = now + millis;
        while (now < until) {
            passes(50);
            for (LogRecord sent : appends()) {
                reads(sent);
            }
        }
    }

    /** Time passes without a call, as if the process were stopped. */
    void freezes(long millis) {
        now += millis;
        wall += millis;
    }

    /** From now on, each call is late by these nanoseconds, which the clock in milliseconds does not show. */
    void isLate(long byNanos) {
        nanos = byNanos;
    }

    void shiftsWall(long millis) {
        wall += millis;
    }

    private void step(Input input) {
        step(context -> LogRules.apply(context, context.logs().get(0), input));
    }

    private void step(Consumer<PartitionContext> happened) {
        PartitionContext step = new PartitionContext(ME, settings, config, 0, state, moment());
        PartitionElection.step(step, happened);
        state = step.partition;
        deadline = state.deadline;
        step.actions.forEach(each -> actions.add(each.action()));
        Term term = state.term();
        if (term != null && !term.holder().equals(ME)) {
            termOfToken.put(term.token(), term.offset());
        }
        if (log().isClaimed()) {
            termOfToken.put(state.token, log().ownTerm);
        }
        for (Election.PartitionAction each : step.actions) {
            if (each.action() instanceof Action.Announce announce && announce.event() instanceof LeaderFenced event) {
                fencedTokens.add(event.token());
            }
        }
        assertThat(moment().time().hasReached(deadline))
                .as("the deadline lies ahead")
                .isFalse();
    }

    // What came of it.

    State state() {
        return state.state();
    }

    PartitionState full() {
        return state;
    }

    LogState log() {
        return state.logs().get(0);
    }

    /** Why it must not lead by what it reads. */
    Conflict conflict() {
        return log().view.conflict(ME, GROUP_CONFIG.of(0), moment().time());
    }

    boolean isLeader() {
        return state.leadingAt(moment()) != Term.NONE;
    }

    Moment moment() {
        return new Moment(time(now).plusNanos(nanos), wall);
    }

    static MonotonicTime time(long millis) {
        return new MonotonicTime(millis * 1_000_000);
    }

    long now() {
        return now;
    }

    long deadline() {
        return deadline.nanos() / 1_000_000;
    }

    long term() {
        Term term = state.term();
        return term == null ? Term.NONE : term.offset();
    }

    /** The records sent since the last call. */
    List<LogRecord> appends() {
        return take(Action.Append.class).stream().map(Action.Append::content).toList();
    }

    /** The events since the last call, with the offset of the claim instead of the token: tests name terms so. */
    List<LeaderEvent> events() {
        return take(Action.Announce.class).stream()
                .map(announce -> ofTerm(announce.event()))
                .toList();
    }

    private LeaderEvent ofTerm(LeaderEvent event) {
        long term = Objects.requireNonNull(termOfToken.get(event.token()));
        if (event instanceof LeaderAcquired) {
            return acquired(term);
        }
        return event instanceof LeaderRevoked revoked
                ? revoked(term, revoked.reason())
                : fenced(term, ((LeaderFenced) event).reason());
    }

    /** The token of a term of this member, or of another that it knows. */
    long tokenOf(long term) {
        return termOfToken.entrySet().stream()
                .filter(known -> known.getValue() == term)
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(term);
    }

    static ThrowingConsumer<LogRecord> isBid(MemberId member, long term) {
        return record -> {
            assertThat(record).isEqualTo(new LogRecord.Bid(record.sender(), term));
            assertThat(record.member()).isEqualTo(member);
        };
    }

    static ThrowingConsumer<LogRecord> isResign(MemberId member, long term) {
        return record -> {
            assertThat(record).isInstanceOf(LogRecord.Resign.class);
            assertThat(record.member()).isEqualTo(member);
            assertThat(((LogRecord.Resign) record).term()).isEqualTo(term);
        };
    }

    /** Whether it has asked for earlier records. */
    boolean readsFurtherBack() {
        return !take(Action.ReadFurtherBack.class).isEmpty();
    }

    int rejoins() {
        return take(Action.Rejoin.class).size();
    }

    /** How often it has continued as another member. */
    int renewals() {
        return take(Action.Renew.class).size();
    }

    /** The round trips that were measured, in milliseconds. */
    List<Long> roundTrips() {
        return take(Action.HeartbeatRead.class).stream()
                .map(read -> read.roundTrip().toMillis())
                .toList();
    }

    static LeaderAcquired acquired(long token) {
        return new LeaderAcquired("partition-0", 0, token);
    }

    static LeaderRevoked revoked(long token, RevokeReason reason) {
        return new LeaderRevoked("partition-0", 0, token, reason);
    }

    static LeaderFenced fenced(long token, FenceReason reason) {
        return new LeaderFenced("partition-0", 0, token, reason);
    }

    void forget() {
        actions.clear();
    }

    <T extends Action> List<T> take(Class<T> type) {
        List<T> taken =
                actions.stream().filter(type::isInstance).map(type::cast).toList();
        actions.removeAll(taken);
        return taken;
    }
}
