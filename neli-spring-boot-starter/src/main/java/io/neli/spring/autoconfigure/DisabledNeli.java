package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.neli.BackgroundTask;
import io.neli.Leader;
import io.neli.LeaderTask;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliSnapshot;

/**
 * Stands in for the election where {@code neli.enabled} is false: never leads, or always, with token 0, whatever is asked of
 * it. Connects to nothing, tells no listener and never calls a background task.
 */
final class DisabledNeli implements Neli {

    private static final String NAME = "disabled";

    private final boolean leads;
    private final String firstRole;
    private final Instant since = Instant.now();

    DisabledNeli(boolean leads, String firstRole) {
        this.leads = leads;
        this.firstRole = firstRole;
    }

    @Override
    public void start() {}

    @Override
    public boolean isLeader() {
        return leads;
    }

    @Override
    public boolean isLeader(String role) {
        return leads;
    }

    @Override
    public int partitionOf(String role) {
        return 0;
    }

    @Override
    public Optional<Leadership> leadership() {
        return leadership(firstRole);
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        return leads ? Optional.of(new Term(role, since)) : Optional.empty();
    }

    @Override
    public Optional<Leader> leader() {
        return leader(firstRole);
    }

    @Override
    public Optional<Leader> leader(String role) {
        return leadership(role).map(term -> new Leader(role, NAME, term.token(), true));
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
        return beginWork(firstRole);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        return leadership(role).map(Work::new);
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
                NAME,
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

    private record Term(String role, Instant since) implements Leadership {

        @Override
        public long token() {
            return 0;
        }

        @Override
        public boolean isValid() {
            return true;
        }
    }

    private record Work(Leadership leadership) implements LeaderWork {

        @Override
        public void detach(Runnable onFence) {}

        @Override
        public void close() {}
    }
}
