package io.neli;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import io.neli.kafka.MemberSettings;
import org.jspecify.annotations.Nullable;

/** The election as an application holds it: can be started again, each time as a new member. */
final class KafkaNeli implements Neli {

    private final Function<UUID, MemberSettings> settings;
    private final MemberSettings described;
    private final ApplicationSettings application;
    private final String firstRole;
    private volatile @Nullable Membership membership;

    KafkaNeli(Function<UUID, MemberSettings> settings, ApplicationSettings application) {
        this.settings = settings;
        this.described = settings.apply(new UUID(0, 0));
        this.application = application;
        this.firstRole = application.roles().first();
    }

    @Override
    public void start() {
        Duration limit = application.failFast();
        Membership begun = begin();
        if (begun != null && limit != null) {
            awaitRunning(begun, limit);
        }
    }

    private synchronized @Nullable Membership begin() {
        Membership current = membership;
        if (current != null && !current.isClosing()) {
            return null;
        }
        Membership next = new Membership(settings.apply(UUID.randomUUID()), application, current);
        membership = next;
        next.start();
        return next;
    }

    private static void awaitRunning(Membership begun, Duration limit) {
        try {
            StartCheck.awaitRunning(begun, limit);
        } catch (NeliStartException e) {
            begun.close();
            throw e;
        }
    }

    private Optional<Membership> running() {
        return Optional.ofNullable(membership).filter(current -> !current.isClosing());
    }

    @Override
    public boolean isLeader() {
        return isLeader(firstRole);
    }

    @Override
    public boolean isLeader(String role) {
        Membership current = membership;
        return current != null && current.partitionOf(role).isLed();
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
        Membership current = membership;
        return current == null ? Optional.empty() : current.partitionOf(role).leadership(role);
    }

    @Override
    public Optional<Leader> leader() {
        return leader(firstRole);
    }

    @Override
    public Optional<Leader> leader(String role) {
        return running().flatMap(current -> current.leader(role));
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        return awaitLeadership(firstRole, timeout);
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        Membership current = membership;
        return current == null ? Optional.empty() : current.partitionOf(role).awaitLeadership(role, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        return beginWork(firstRole);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        Membership current = membership;
        Optional<LeaderWork> work = current == null ? Optional.empty() : current.beginWork(role);
        if (work.isEmpty()) {
            application.metrics().workSkipped(role);
        }
        return work;
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        return background(firstRole, task);
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        return running()
                .orElseThrow(() -> new IllegalStateException("the election is not started: call start() first"))
                .background(role, task);
    }

    @Override
    public void resign(Duration cooldown) {
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        running().ifPresent(current -> current.engine().resign(cooldown));
    }

    @Override
    public void pause() {
        running().ifPresent(current -> current.engine().pause(true));
    }

    @Override
    public void resume() {
        running().ifPresent(current -> current.engine().pause(false));
    }

    @Override
    public void close() {
        Membership current = membership;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public NeliSnapshot snapshot() {
        return running().map(Membership::snapshot).orElseGet(() -> Snapshots.stopped(described, application.roles()));
    }
}
