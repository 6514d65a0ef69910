package io.neli.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.internal.member.Engine;
import io.neli.internal.member.JobRunner;
import io.neli.internal.member.Member;
import io.neli.internal.member.MemberNeli;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import org.jspecify.annotations.Nullable;

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
 * FakeNeliBuilder#handoverTimeout}, or if a listener or work calls them. All methods may be called from any thread.
 */
public final class FakeNeli extends MemberNeli {

    /** The name of the member that leads while this one does not. */
    public static final String OTHER = "other";

    private final MemberSettings settings;
    private final boolean leadsFromStart;
    private final AtomicReference<@Nullable Throwable> failure;
    private final Map<RunKey, RunRecord> records;
    private final Instant builtAt;
    private final AtomicReference<Instant> now;

    FakeNeli(
            MemberSettings settings,
            boolean leadsFromStart,
            Map<String, String> othersMetadata,
            AtomicReference<@Nullable Throwable> failure) {
        this(
                settings,
                leadsFromStart,
                new Factory(settings, leadsFromStart, othersMetadata, new ConcurrentHashMap<>(), new AtomicLong()),
                failure,
                new AtomicReference<>(InstantSource.system().instant()));
    }

    private FakeNeli(
            MemberSettings settings,
            boolean leadsFromStart,
            Factory engines,
            AtomicReference<@Nullable Throwable> failure,
            AtomicReference<Instant> now) {
        super(settings, engines, now::get);
        this.records = engines.records;
        this.builtAt = Objects.requireNonNull(now.get());
        this.now = now;
        this.settings = settings;
        this.leadsFromStart = leadsFromStart;
        this.failure = failure;
    }

    /** Creates the engine of each start. Tokens and records of runs belong to the group, and outlast a start. */
    private record Factory(
            MemberSettings settings,
            boolean leadsFromStart,
            Map<String, String> othersMetadata,
            Map<RunKey, RunRecord> records,
            AtomicLong tokens)
            implements Engine.Factory {

        @Override
        public RunStore runStore() {
            return RunStore.inMemory(records);
        }

        @Override
        public Engine create(Engine.Events events) {
            return new FakeEngine(settings, leadsFromStart, othersMetadata, tokens, events);
        }
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
        if (starts && leadsFromStart) {
            awaitPrepared(engine().units());
        }
    }

    /** Makes this member lead everything that it does not lead yet. */
    public void acquire() {
        acquire(engine().units());
    }

    /** {@link #acquire()} of a role, and of those that share its partition. */
    public void acquire(String role) {
        acquire(unitOf(role));
    }

    /** Hands over everything that it leads to the other member. Returns when running work has ended, too. */
    public void revoke() {
        revoke(engine().units(), RevokeReason.HANDOVER);
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
        fence(engine().units(), FenceReason.LEASE_EXPIRED);
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
        boolean hadRuns =
                !builtAt.equals(now.get()) || records.values().stream().anyMatch(record -> record.begun() != null);
        if (!leadsFromStart || hadRuns) {
            engine.handOver(engine.units(), RevokeReason.HANDOVER);
        }
        if (hadRuns) { // before the next term reads the records
            awaitJobs(jobs -> jobs.settle(this::forgetRuns, settings.handoverTimeout()));
        }
        if (leadsFromStart && !engine.units().stream().allMatch(FakeUnit::isLed)) {
            acquire();
        }
    }

    private void forgetRuns() {
        records.clear();
        now.set(builtAt);
    }

    /**
     * Sets the clock of the jobs, and returns when the runs that are due then have ended. Nothing else moves that
     * clock, which begins at the time when the member was built. If this member does not lead, due runs are made up for
     * once it leads and this is called again.
     *
     * @throws IllegalStateException if a run takes longer than {@link FakeNeliBuilder#handoverTimeout}
     */
    public void dueAt(Instant time) {
        awaitJobs(jobs -> jobs.settle(() -> now.set(time), settings.handoverTimeout()));
    }

    private interface Wait {
        boolean until(JobRunner jobs) throws InterruptedException;
    }

    private void awaitJobs(Wait wait) {
        try {
            if (!wait.until(member().jobs())) {
                throw new IllegalStateException("a run of a job still goes on after "
                        + settings.handoverTimeout().toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a job was running", e);
        }
    }

    @Override
    public void addListener(LeaderListener listener) {
        super.addListener(FakeNeliBuilder.keeping(failure, listener));
    }

    private Member member() {
        return running().orElseThrow(MemberNeli::notStarted);
    }

    private FakeEngine engine() {
        return (FakeEngine) member().engine();
    }

    private List<FakeUnit> unitOf(String role) {
        return List.of(engine().unit(partitionOf(role)));
    }

    private void acquire(List<FakeUnit> chosen) {
        List<FakeUnit> wanted = those(chosen, unit -> !unit.isLed(), "acquire() of what is led already");
        if (!wanted.stream().allMatch(engine()::isEligible)) {
            throw new IllegalStateException(
                    "acquire() of what is paused, or on a member that is no candidate: call resume() first, or candidate(true)");
        }
        wanted.forEach(FakeUnit::awaitEnd);
        failure.set(null);
        wanted.forEach(FakeUnit::acquire);
        awaitPrepared(wanted);
    }

    private void awaitPrepared(List<FakeUnit> acquired) {
        awaitNotified(member());
        awaitJobs(jobs -> jobs.awaitRead(settings.handoverTimeout()));
        Throwable failed = failure.getAndSet(null);
        if (failed != null) {
            acquired.forEach(FakeUnit::awaitEnd);
            throw new IllegalStateException("a listener failed on LeaderAcquired, so this member has resigned", failed);
        }
    }

    private void revoke(List<FakeUnit> chosen, RevokeReason reason) {
        engine().handOver(those(chosen, FakeUnit::isLed, "revoke() of what is not led"), reason);
    }

    private void fence(List<FakeUnit> chosen, FenceReason reason) {
        Member current = member(); // kept, because a listener may close it
        those(chosen, FakeUnit::isHeld, "fence() of what is neither led nor handed over")
                .forEach(unit -> unit.fence(reason));
        awaitNotified(current);
    }

    private List<FakeUnit> those(List<FakeUnit> chosen, Predicate<FakeUnit> condition, String otherwise) {
        if (member().isCallerInside()) {
            throw new IllegalStateException(
                    "called inside work or a listener, for which it would have to wait: call it on"
                            + " another thread, or resign() or pause() here");
        }
        List<FakeUnit> wanted = chosen.stream().filter(condition).toList();
        if (wanted.isEmpty()) {
            throw new IllegalStateException(otherwise + ": " + chosen);
        }
        return wanted;
    }

    private void awaitNotified(Member current) {
        Duration limit = settings.handoverTimeout();
        try {
            if (!current.awaitNotified(limit)) {
                throw new IllegalStateException("a listener still runs after " + limit.toMillis()
                        + " ms: let it end first, or allow more time with FakeNeliBuilder.handoverTimeout()");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a listener was running", e);
        }
    }
}
