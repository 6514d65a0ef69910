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

    private final Optional<Leadership> leadership;

    DisabledNeli(boolean leads) {
        this.leadership = leads ? Optional.of(new Term(Instant.now())) : Optional.empty();
    }

    @Override
    public void start() {}

    @Override
    public boolean isLeader() {
        return leadership.isPresent();
    }

    @Override
    public Optional<Leadership> leadership() {
        return leadership;
    }

    @Override
    public Optional<Leader> leader() {
        return leadership.map(term -> new Leader(term.role(), NAME, term.token(), true));
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) {
        return leadership;
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        return leadership.map(Work::new);
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        return () -> {};
    }

    @Override
    public void resign(Duration cooldown) {}

    @Override
    public NeliSnapshot snapshot() {
        return new NeliSnapshot(
                NAME,
                NAME,
                NAME,
                NeliSnapshot.Status.STOPPED,
                Optional.of("neli.enabled is 'false': this application takes no part in the election"),
                false,
                List.of(),
                List.of(),
                Map.of());
    }

    @Override
    public void close() {}

    private record Term(Instant since) implements Leadership {

        @Override
        public String role() {
            return DEFAULT_ROLE;
        }

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
        public void close() {}
    }
}
