package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.neli.FakeNeli;
import io.neli.Leader;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.NeliSnapshot;

/**
 * Stands in for the election where {@code neli.enabled} is false: never leads, or always and in one term, whatever is asked
 * of it. Connects to nothing, tells no listener and never calls a background task.
 */
final class DisabledNeli implements Neli {

    private static final String NAME = "disabled";

    private final String groupId;
    private final Neli term;

    /**
     * Always as it begins.
     *
     * @param groupId that of the election; empty if none is set. What is named after it must not be shared with others
     */
    DisabledNeli(boolean leads, String groupId, String firstRole) {
        this.groupId = groupId.isEmpty() ? NAME : groupId;
        this.term =
                FakeNeli.builder().name(NAME).roles(firstRole).leading(leads).start();
    }

    @Override
    public void start() {}

    @Override
    public boolean isLeader() {
        return term.isLeader();
    }

    @Override
    public boolean isLeader(String role) {
        return term.isLeader(role);
    }

    @Override
    public int partitionOf(String role) {
        return term.partitionOf(role);
    }

    @Override
    public Optional<Leadership> leadership() {
        return term.leadership();
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        return term.leadership(role);
    }

    @Override
    public Optional<Leader> leader() {
        return term.leader().filter(Leader::self);
    }

    @Override
    public Optional<Leader> leader(String role) {
        return term.leader(role).filter(Leader::self);
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) {
        return leadership();
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) {
        return leadership(role);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        return term.beginWork();
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        return term.beginWork(role);
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        return () -> {};
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        return () -> {};
    }

    @Override
    public void resign(Duration cooldown) {}

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public NeliSnapshot snapshot() {
        return new NeliSnapshot(
                NAME,
                groupId,
                NAME,
                NeliSnapshot.Status.STOPPED,
                Optional.of("neli.enabled is 'false': this application takes no part in the election"),
                false,
                false,
                List.of(),
                List.of(),
                Map.of());
    }

    @Override
    public void close() {}
}
