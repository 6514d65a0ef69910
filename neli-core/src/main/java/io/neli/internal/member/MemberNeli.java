package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.neli.Leader;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.NeliSnapshot;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.Nullable;

/** The election as an application holds it: it can be started again, each time as a new member. */
public class MemberNeli implements Neli {

    private final MemberSettings settings;
    private final Engine.Factory engines;
    private final MemberClock clock = MemberClock.system();
    private volatile @Nullable Member member;

    /** Null: as it was built. */
    private @Nullable Boolean candidate;

    public MemberNeli(MemberSettings settings, Engine.Factory engines) {
        this.settings = settings;
        this.engines = engines;
    }

    @Override
    public void start() {
        Member begun = begin();
        if (begun != null) {
            awaitStarted(begun);
        }
    }

    private synchronized @Nullable Member begin() {
        Member current = member;
        if (current != null && !current.isClosing()) {
            return null;
        }
        Member next = new Member(settings, engines, clock, current);
        if (candidate != null) {
            next.engine().candidate(candidate);
        }
        member = next;
        next.start();
        return next;
    }

    private void awaitStarted(Member begun) {
        boolean started = false;
        try {
            begun.awaitStarted();
            started = true;
        } finally {
            if (!started) {
                begun.close();
            }
        }
    }

    /** The member of the current start; empty where it is not started or is closing. */
    protected final Optional<Member> running() {
        return Optional.ofNullable(member).filter(current -> !current.isClosing());
    }

    private Member started() {
        return running().orElseThrow(MemberNeli::notStarted);
    }

    protected static IllegalStateException notStarted() {
        return new IllegalStateException("the election is not started: call start() first");
    }

    @Override
    public String defaultRole() {
        return settings.roles().first();
    }

    @Override
    public List<String> roles() {
        return settings.roles().listed();
    }

    @Override
    public Duration handoverTimeout() {
        return settings.handoverTimeout();
    }

    @Override
    public int partitionOf(String role) {
        return settings.roles().partitionOf(role);
    }

    @Override
    public boolean isLeader(String role) {
        Member current = member;
        return current != null && current.partitionOf(role).isLed();
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        Member current = member;
        return current == null ? Optional.empty() : current.partitionOf(role).leadership(role);
    }

    @Override
    public Optional<Leader> leader(String role) {
        return running().flatMap(current -> current.engine().leader(partitionOf(role), role));
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        Member current = member;
        return current == null || !current.engine().takesPart()
                ? leadership(role)
                : current.partitionOf(role).awaitLeadership(role, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        Member current = member;
        Optional<LeaderWork> work = current == null ? Optional.empty() : current.beginWork(role);
        if (work.isEmpty()) {
            settings.metrics().workSkipped(role);
        }
        return work;
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        Member current = started();
        return current.engine().takesPart() ? current.background(role, task) : () -> {};
    }

    @Override
    public void resign(Duration cooldown) {
        resignFrom(null, cooldown);
    }

    @Override
    public void resign(String role, Duration cooldown) {
        resignFrom(partitionOf(role), cooldown);
    }

    private void resignFrom(@Nullable Integer partition, Duration cooldown) {
        if (cooldown.isNegative() || cooldown.compareTo(LONGEST_COOLDOWN) > 0) {
            throw new IllegalArgumentException("cooldown is '" + SettingsCheck.text(cooldown)
                    + "': it must not be negative or longer than " + LONGEST_COOLDOWN.toDays()
                    + " days; pause() lasts until resume()");
        }
        running().ifPresent(current -> current.engine().resign(partition, cooldown));
    }

    @Override
    public void pause() {
        running().ifPresent(current -> current.engine().pause(null, true));
    }

    @Override
    public void pause(String role) {
        running().ifPresent(current -> current.engine().pause(partitionOf(role), true));
    }

    @Override
    public void resume() {
        running().ifPresent(current -> current.engine().pause(null, false));
    }

    @Override
    public void resume(String role) {
        running().ifPresent(current -> current.engine().pause(partitionOf(role), false));
    }

    @Override
    public synchronized void candidate(boolean candidate) {
        this.candidate = candidate;
        running().ifPresent(current -> current.engine().candidate(candidate));
    }

    @Override
    public void addListener(LeaderListener listener) {
        settings.listeners().add(listener);
    }

    @Override
    public NeliSnapshot snapshot() {
        return running().map(Member::snapshot).orElseGet(() -> Snapshots.stopped(settings));
    }

    @Override
    public void close() {
        Member current = member;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void awaitClosed() throws InterruptedException {
        Member current = member;
        if (current != null) {
            current.awaitClosed();
        }
    }
}
