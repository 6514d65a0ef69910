package io.neli.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.BackgroundTask;
import io.neli.Leader;
import io.neli.LeaderTask;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliSnapshot;

/** An election whose outcome the test decides; records the calls that it gets. */
public final class StubNeli implements Neli {

    public static final long TOKEN = 42;

    public final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean leading;

    public static StubNeli leading() {
        StubNeli neli = new StubNeli();
        neli.leading = true;
        return neli;
    }

    public static StubNeli standby() {
        return new StubNeli();
    }

    public void lead(boolean leading) {
        this.leading = leading;
    }

    /** The calls but those of the life cycle. */
    public List<String> work() {
        List<String> work = new ArrayList<>(calls);
        work.removeAll(List.of("start", "close"));
        return work;
    }

    @Override
    public void start() {
        calls.add("start");
    }

    @Override
    public boolean isLeader() {
        return leading;
    }

    @Override
    public Optional<Leadership> leadership() {
        return leading ? Optional.of(new Term()) : Optional.empty();
    }

    @Override
    public Optional<Leader> leader() {
        return leading ? Optional.of(new Leader(DEFAULT_ROLE, "stub", TOKEN, true)) : Optional.empty();
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) {
        return leadership();
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        if (!leading) {
            calls.add("refuse");
            return Optional.empty();
        }
        calls.add("begin");
        return Optional.of(new LeaderWork() {
            @Override
            public Leadership leadership() {
                return new Term();
            }

            @Override
            public void close() {
                calls.add("end");
            }
        });
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resign(Duration cooldown) {
        leading = false;
    }

    @Override
    public NeliSnapshot snapshot() {
        return new NeliSnapshot(
                "stub",
                "group",
                "topic",
                NeliSnapshot.Status.RUNNING,
                Optional.empty(),
                true,
                List.of(),
                List.of(),
                Map.of());
    }

    @Override
    public void close() {
        calls.add("close");
    }

    private final class Term implements Leadership {

        @Override
        public String role() {
            return DEFAULT_ROLE;
        }

        @Override
        public long token() {
            return TOKEN;
        }

        @Override
        public Instant since() {
            return Instant.EPOCH;
        }

        @Override
        public boolean isValid() {
            return leading;
        }
    }
}
