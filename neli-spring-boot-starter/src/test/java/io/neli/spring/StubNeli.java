package io.neli.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.Job;
import io.neli.Leader;
import io.neli.LeaderListener;
import io.neli.LeaderTerm;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Status;

/** An election whose outcome the test decides. It records the calls that it receives. */
public final class StubNeli implements Neli {

    public static final long TOKEN = 42;

    public final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
    private volatile boolean leading;
    private volatile long token = TOKEN;
    private volatile Duration handoverTimeout = Duration.ofSeconds(20);

    public static StubNeli leading() {
        StubNeli neli = new StubNeli();
        neli.leading = true;
        return neli;
    }

    public static StubNeli standby() {
        return new StubNeli();
    }

    public StubNeli handoverTimeout(Duration timeout) {
        handoverTimeout = timeout;
        return this;
    }

    public void lead(boolean leading) {
        this.leading = leading;
    }

    /** Begins a term with a token of its own, and returns that. */
    public long nextTerm() {
        long next = token + 1;
        token = next;
        leading = true;
        return next;
    }

    /** Ends the term, and runs the callbacks of detached work. */
    public void fence() {
        leading = false;
        callbacks.forEach(Runnable::run);
    }

    /** The recorded calls, except start and close. */
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
    public boolean isLeader(String role) {
        return leading;
    }

    @Override
    public String defaultRole() {
        return DEFAULT_ROLE;
    }

    @Override
    public List<String> roles() {
        return List.of();
    }

    @Override
    public Duration handoverTimeout() {
        return handoverTimeout;
    }

    @Override
    public void awaitClosed() {}

    @Override
    public void addListener(LeaderListener listener) {}

    @Override
    public int partitionOf(String role) {
        return 0;
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        return leading ? Optional.of(new Term(role)) : Optional.empty();
    }

    @Override
    public Optional<Leader> leader(String role) {
        return leading ? Optional.of(new Leader(role, "stub", token, true, Map.of())) : Optional.empty();
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) {
        return leadership(role);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        String suffix = role.equals(DEFAULT_ROLE) ? "" : " " + role;
        if (!leading) {
            calls.add("refuse" + suffix);
            return Optional.empty();
        }
        calls.add("begin" + suffix);
        return Optional.of(new LeaderWork() {
            @Override
            public Leadership leadership() {
                return new Term(role);
            }

            @Override
            public void detach(Runnable onFence) {
                calls.add("detach");
                callbacks.add(onFence);
            }

            @Override
            public void close() {
                calls.add("end");
            }
        });
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void schedule(Job job) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void unschedule(String job) {}

    @Override
    public void runNow(String job) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resign(Duration cooldown) {
        leading = false;
    }

    @Override
    public void resign(String role, Duration cooldown) {
        leading = false;
    }

    @Override
    public void pause() {
        leading = false;
    }

    @Override
    public void pause(String role) {
        leading = false;
    }

    @Override
    public void resume() {
        leading = true;
    }

    @Override
    public void resume(String role) {
        leading = true;
    }

    @Override
    public void candidate(boolean candidate) {
        leading = candidate;
    }

    @Override
    public List<LeaderTerm> history(String role, Duration since) {
        return List.of();
    }

    @Override
    public NeliSnapshot snapshot() {
        return new NeliSnapshot(
                "stub",
                "group",
                "topic",
                isStarted() ? Status.RUNNING : Status.STOPPED,
                Optional.empty(),
                true,
                false,
                1,
                List.of(),
                List.of());
    }

    private boolean isStarted() {
        return calls.lastIndexOf("start") > calls.lastIndexOf("close");
    }

    @Override
    public void close() {
        calls.add("close");
    }

    private final class Term implements Leadership {

        private final String role;

        Term(String role) {
            this.role = role;
        }

        @Override
        public String role() {
            return role;
        }

        @Override
        public long token() {
            return token;
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
