package io.neli.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.member.Member;
import io.neli.internal.member.MemberNeli;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.DaemonThread.Wait;
import io.neli.test.FakeEngine.Unit;

/**
 * A member for tests, without Kafka: it leads when the test says so. Everything else works as in a real member: work,
 * events on their own thread, growing tokens.
 *
 * <pre>{@code
 * FakeNeli neli = FakeNeli.leading();
 * Billing billing = new Billing(neli);
 * billing.settle();                       // runs
 * neli.fence();                           // its listeners have returned
 * billing.settle();                       // is skipped
 * }</pre>
 *
 * <p>It is one of two members. While it does not lead, the other one does, which is named {@value #OTHER}. Nothing
 * happens by itself: no lease ends, a handover takes as long as its running work, and after {@link #resign}, {@link
 * #pause} or a {@link LeaderAcquired} listener that throws, it leads again only when the test calls {@link #acquire()}.
 *
 * <p>{@link #acquire()}, {@link #revoke()} and {@link #fence()} return when the listeners have returned. They throw an
 * {@link IllegalStateException} if the step is impossible, if listeners or work take longer than {@link
 * FakeNeliBuilder#handoverTimeout}, or if a listener or work calls them. So do {@link #dueAt} and, if there is
 * something to take back, {@link #reset()}. All methods may be called from any thread.
 */
public final class FakeNeli extends MemberNeli {

    /** The name of the member that leads while this one does not. */
    public static final String OTHER = "other";

    private static final long MOST_SECONDS = Long.MAX_VALUE / 1000;

    private final FakeEngine.Factory engines;
    private final Instant builtAt;
    /** The runs that were due at once when it was last reset. */
    private volatile Set<RunRecord> runsOfReset = Set.of();

    FakeNeli(FakeEngine.Factory engines) {
        super(engines.settings(), engines, engines.now()::get);
        this.engines = engines;
        this.builtAt = Objects.requireNonNull(engines.now().get());
    }

    /** A builder with the default of every setting. */
    public static FakeNeliBuilder builder() {
        return new FakeNeliBuilder();
    }

    /** Starts a member that leads. */
    public static FakeNeli leading() {
        return builder().leading(true).start();
    }

    /** Starts a member that does not lead. */
    public static FakeNeli standby() {
        return builder().start();
    }

    /**
     * Starts this member. If it was {@linkplain FakeNeliBuilder#leading built} to lead, this returns when it leads and
     * the listeners have prepared.
     */
    @Override
    public void start() {
        boolean starts = running().isEmpty();
        super.start();
        if (starts && engines.leadsFromStart()) {
            // unless a listener has closed it
            running().ifPresent(current -> awaitPrepared(current, ((FakeEngine) current.engine()).units));
        }
    }

    /** Makes this member lead everything that it does not lead yet. */
    public void acquire() {
        acquire(engine().units);
    }

    /** {@link #acquire()} of a role, and of those that share its partition. */
    public void acquire(String role) {
        acquire(unitOf(role));
    }

    /** Hands over everything that it leads to the other member. Returns when running work has ended, too. */
    public void revoke() {
        revoke(engine().units, RevokeReason.HANDOVER);
    }

    /** {@link #revoke()} of a role, and of those that share its partition. */
    public void revoke(String role) {
        revoke(role, RevokeReason.HANDOVER);
    }

    /** {@link #revoke(String)} for a reason. */
    public void revoke(String role, RevokeReason reason) {
        revoke(unitOf(role), reason);
    }

    /**
     * Takes away everything that it leads or is handing over, as if the process had been suspended for too long.
     * Running work is interrupted; if it ignores that, it continues after this returns.
     */
    public void fence() {
        fence(engine().units, FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence()} of a role, and of those that share its partition. */
    public void fence(String role) {
        fence(role, FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence(String)} for a reason. */
    public void fence(String role, FenceReason reason) {
        fence(unitOf(role), reason);
    }

    /**
     * Returns it to the state in which it was built: started, a candidate, not paused, and leading all or nothing, with
     * the clock of the jobs set back and their runs forgotten. Does nothing if it is in that state.
     */
    public void reset() {
        candidate(true);
        start();
        FakeEngine engine = engine();
        engine.resumeAll();
        boolean hadRuns = !builtAt.equals(engines.now().get()) || !runs().equals(runsOfReset);
        if (!engines.leadsFromStart() || hadRuns) {
            handOver(engine.units, RevokeReason.HANDOVER);
        }
        if (hadRuns) { // before the next term reads the records
            awaitRuns(limit -> started().jobs().settle(this::forgetRuns, limit));
        }
        if (engines.leadsFromStart() && !engine.units.stream().allMatch(Unit::isLed)) {
            acquire();
        }
        if (hadRuns) { // some may have been due at once
            awaitRuns(limit -> started().jobs().settle(() -> {}, limit));
            runsOfReset = runs();
        }
    }

    private Set<RunRecord> runs() {
        return engines.records().values().stream()
                .filter(record -> record.begun() != null)
                .collect(Collectors.toSet());
    }

    private void forgetRuns() {
        engines.records().clear();
        engines.now().set(builtAt);
    }

    /**
     * Sets the clock of the jobs, and returns when the runs that are due then have ended. Nothing else moves that
     * clock, which begins at the time when the member was built. If this member does not lead, due runs are made up for
     * once it leads and this is called again.
     *
     * @throws IllegalStateException if a run takes longer than {@link FakeNeliBuilder#handoverTimeout}
     * @throws IllegalArgumentException if the time is too far away for {@link Instant#toEpochMilli}
     */
    public void dueAt(Instant time) {
        if (Math.abs(time.getEpochSecond()) > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "the time is '" + time + "': use one whose milliseconds fit into a long");
        }
        awaitRuns(limit -> started().jobs().settle(() -> engines.now().set(time), limit));
    }

    private void awaitRuns(Wait wait) {
        refuseInside();
        await(wait, handoverTimeout(), "a run of a job is still in progress");
    }

    /** Like a real member that closes, waits on if it is interrupted. */
    static void await(Wait wait, Duration limit, String late) {
        if (!DaemonThread.await(wait, limit)) {
            throw new IllegalStateException(late + " after " + limit.toMillis()
                    + " ms: let it end first, or allow more time with FakeNeliBuilder.handoverTimeout()");
        }
    }

    private FakeEngine engine() {
        return (FakeEngine) started().engine();
    }

    private List<Unit> unitOf(String role) {
        return List.of(engine().units.get(partitionOf(role)));
    }

    private void acquire(List<Unit> chosen) {
        List<Unit> wanted = those(chosen, unit -> !unit.isLed(), "acquire() of what is led already");
        if (!wanted.stream().allMatch(Unit::isEligible)) {
            throw new IllegalStateException(
                    "acquire() of what is paused, or on a member that is no candidate: call resume() first, or"
                            + " candidate(true)");
        }
        Member current = started(); // before a listener can close it
        wanted.forEach(Unit::awaitEnd);
        wanted.forEach(Unit::acquire);
        awaitPrepared(current, wanted);
    }

    private void awaitPrepared(Member current, List<Unit> acquired) {
        awaitNotified(current);
        if (running().isPresent()) {
            awaitRuns(limit -> current.jobs().awaitRead(limit));
        }
        Optional<Throwable> failed = acquired.stream()
                .flatMap(unit -> current.failure(unit.partition).stream())
                .findFirst();
        if (failed.isPresent()) {
            acquired.forEach(Unit::awaitEnd);
            throw new IllegalStateException(
                    "a listener failed on LeaderAcquired, so this member has resigned", failed.get());
        }
    }

    private void revoke(List<Unit> chosen, RevokeReason reason) {
        handOver(those(chosen, Unit::isLed, "revoke() of what is not led"), reason);
    }

    private void handOver(List<Unit> wanted, RevokeReason reason) {
        if (wanted.stream().anyMatch(Unit::isHeld)) {
            refuseInside();
        }
        Member current = started(); // kept, because a listener may close it
        ((FakeEngine) current.engine()).handOver(wanted, reason);
        awaitNotified(current);
    }

    private void fence(List<Unit> chosen, FenceReason reason) {
        Member current = started(); // kept, because a listener may close it
        those(chosen, Unit::isHeld, "fence() of what is neither led nor handed over")
                .forEach(unit -> unit.fence(reason));
        awaitNotified(current);
    }

    private void refuseInside() {
        if (running().filter(Member::isCallerInside).isPresent()) {
            throw new IllegalStateException(
                    "called inside work or a listener, for which it would have to wait: call it on"
                            + " another thread, or resign() or pause() here");
        }
    }

    private List<Unit> those(List<Unit> chosen, Predicate<Unit> condition, String otherwise) {
        refuseInside();
        List<Unit> wanted = chosen.stream().filter(condition).toList();
        if (wanted.isEmpty()) {
            throw new IllegalStateException(otherwise + ": " + chosen);
        }
        return wanted;
    }

    private void awaitNotified(Member current) {
        await(current::awaitNotified, handoverTimeout(), "a listener still runs");
    }
}
