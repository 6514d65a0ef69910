package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.protocol.FenceReason;
import io.neli.protocol.RevokeReason;
import org.jspecify.annotations.Nullable;

/**
 * A member for tests, without Kafka: it leads when the test says so. All else is that of a real member: gated work, events
 * on a thread of their own, tokens that grow.
 *
 * <pre>{@code
 * FakeNeli neli = FakeNeli.leading();
 * Billing billing = new Billing(neli);
 * billing.settle();                       // runs
 * neli.fence();                           // its listeners have returned now
 * billing.settle();                       // is skipped
 * }</pre>
 *
 * <p>It is one of two members. Where it does not lead, the other one does, which is named {@value #OTHER}. Nothing happens by
 * itself: no lease ends, a handover takes as long as the work in it, and after {@link #resign}, {@link #pause} or a
 * {@link LeaderAcquired} listener that throws it leads again when the test calls {@link #acquire()}.
 *
 * <p>{@link #acquire()}, {@link #revoke()} and {@link #fence()} return when the listeners have returned. They throw an
 * {@link IllegalStateException} where the step is impossible, and where listeners or work take longer than
 * {@link FakeNeliBuilder#handoverTimeout}; they cannot be called from either. All methods may be called from any thread.
 */
public final class FakeNeli implements Neli {

    /** The name of the member that leads where this one does not. */
    public static final String OTHER = "other";

    private final String name;
    private final boolean leadsFromStart;
    private final Duration limit;
    private final ApplicationSettings application;
    private final String firstRole;
    private final AtomicLong tokens = new AtomicLong();
    private volatile @Nullable FakeMembership membership;

    FakeNeli(String name, boolean leadsFromStart, Duration limit, ApplicationSettings application) {
        this.name = name;
        this.leadsFromStart = leadsFromStart;
        this.limit = limit;
        this.application = application;
        this.firstRole = application.roles().first();
    }

    /** One with everything at its default, to be started. */
    public static FakeNeliBuilder builder() {
        return new FakeNeliBuilder();
    }

    /** A member that leads. */
    public static FakeNeli leading() {
        return builder().leading(true).start();
    }

    /** A member that does not lead. */
    public static FakeNeli standby() {
        return builder().start();
    }

    /** Leads all that it does not lead yet. */
    public void acquire() {
        FakeMembership current = started();
        current.acquire(current.partitions());
    }

    /** {@link #acquire()} of a role, and of those that share its partition. */
    public void acquire(String role) {
        FakeMembership current = started();
        current.acquire(List.of(current.partitionOf(role)));
    }

    /** Hands all that it leads over to the other member. Returns when running work has ended, too. */
    public void revoke() {
        FakeMembership current = started();
        current.revoke(current.partitions(), RevokeReason.HANDOVER);
    }

    /** {@link #revoke()} of a role, and of those that share its partition. */
    public void revoke(String role) {
        revoke(role, RevokeReason.HANDOVER);
    }

    /** {@link #revoke(String)} for a reason. */
    public void revoke(String role, RevokeReason reason) {
        FakeMembership current = started();
        current.revoke(List.of(current.partitionOf(role)), reason);
    }

    /**
     * Takes away all that it leads or hands over just now, as from a member that stood still for too long: running work is
     * interrupted, and goes on beyond the return if it pays no heed.
     */
    public void fence() {
        FakeMembership current = started();
        current.fence(current.partitions(), FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence()} of a role, and of those that share its partition. */
    public void fence(String role) {
        fence(role, FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence(String)} for a reason. */
    public void fence(String role, FenceReason reason) {
        FakeMembership current = started();
        current.fence(List.of(current.partitionOf(role)), reason);
    }

    /**
     * Brings it back to the state in which it was made, whatever it went through since: started, not paused, and leading
     * all or nothing. Without effect where it is in that state.
     */
    public void reset() {
        start();
        started().reset(leadsFromStart);
    }

    /** Also leads, and returns when the listeners have prepared, if it was {@link FakeNeliBuilder#leading made} so. */
    @Override
    public void start() {
        FakeMembership next;
        synchronized (this) {
            FakeMembership current = membership;
            if (current != null && !current.isClosing()) {
                return;
            }
            next = new FakeMembership(name, limit, application, tokens, current);
            membership = next;
        }
        next.start(leadsFromStart);
    }

    private Optional<FakeMembership> running() {
        return Optional.ofNullable(membership).filter(current -> !current.isClosing());
    }

    private FakeMembership started() {
        return running()
                .orElseThrow(() -> new IllegalStateException("this member is not started: call start() before"));
    }

    private Optional<LedPartition> partition(String role) {
        return Optional.ofNullable(membership)
                .map(current -> current.partitionOf(role).partition());
    }

    @Override
    public boolean isLeader() {
        return isLeader(firstRole);
    }

    @Override
    public boolean isLeader(String role) {
        return partition(role).filter(LedPartition::isLed).isPresent();
    }

    @Override
    public int partitionOf(String role) {
        return application.roles().partitionOf(role);
    }

    @Override
    public Optional<Leadership> leadership() {
        return leadership(firstRole);
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        return partition(role).flatMap(partition -> partition.leadership(role));
    }

    @Override
    public Optional<Leader> leader() {
        return leader(firstRole);
    }

    @Override
    public Optional<Leader> leader(String role) {
        return running().flatMap(current -> current.partitionOf(role).leader(role, name));
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        return awaitLeadership(firstRole, timeout);
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        FakeMembership current = membership;
        return current == null
                ? Optional.empty()
                : current.partitionOf(role).partition().awaitLeadership(role, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        return beginWork(firstRole);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        return partition(role).flatMap(partition -> partition.gate().enter(role));
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        return background(firstRole, task);
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        return started().background(role, task);
    }

    /** Hands over; how long the cooldown lasts is for the test to say. */
    @Override
    public void resign(Duration cooldown) {
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        running().ifPresent(FakeMembership::standBack);
    }

    @Override
    public void pause() {
        running().ifPresent(FakeMembership::pause);
    }

    /** May be led again, by {@link #acquire()}. */
    @Override
    public void resume() {
        running().ifPresent(FakeMembership::resume);
    }

    @Override
    public NeliSnapshot snapshot() {
        Optional<FakeMembership> running = running();
        boolean paused = running.map(FakeMembership::isPaused).orElse(false);
        return new NeliSnapshot(
                name,
                name,
                name + ".neli",
                running.isPresent() ? NeliSnapshot.Status.RUNNING : NeliSnapshot.Status.STOPPED,
                Optional.empty(),
                running.isPresent() && !paused,
                paused,
                running.isPresent() ? List.of(name, OTHER) : List.of(),
                running.map(current -> current.partitions().stream()
                                .map(partition -> partition.snapshot(name))
                                .toList())
                        .orElseGet(() -> Snapshots.unknown(application.roles())),
                Map.of());
    }

    /** Waits for the handover; where it takes too long, the work is fenced, and an {@link IllegalStateException} says so. */
    @Override
    public void close() {
        FakeMembership current = membership;
        if (current != null) {
            current.close();
        }
    }
}
