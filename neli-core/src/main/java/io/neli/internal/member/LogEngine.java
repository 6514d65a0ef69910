package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.neli.Leader;
import io.neli.LeaderTerm;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Term;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.LogElection;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** The order of records in a log decides who leads. */
public final class LogEngine implements Engine {

    private static final long PAUSE_MILLIS = 10;

    private final MemberSettings settings;
    private final String servers;
    private final MemberClock clock = MemberClock.system();
    private final LogElection election;
    private final Supplier<RunStore> runStore;
    private final CountDownLatch closed = new CountDownLatch(1);

    private LogEngine(MemberSettings settings, LogProvider provider, LogProvider.Creation creation, Events events) {
        this.settings = settings;
        this.servers = provider.servers();
        this.runStore = () -> provider.runStore(settings.shell(), creation, clock);
        ShellSettings shell = settings.shell();
        Problems problems = new Problems(settings.groupId());
        Logs logs = provider.logs(shell, creation, clock, problems);
        this.election = new LogElection(
                shell,
                clock,
                events::changed,
                (partition, term) ->
                        events.leaderChanged(partition, term.map(led -> leader(Roles.ofPartition(partition), led))),
                settings.metrics(),
                problems,
                logs);
    }

    /** Engines on logs that the provider has. */
    public static Factory factory(MemberSettings settings, LogProvider provider, LogProvider.Creation creation) {
        return new Factory() {
            @Override
            public Engine create(Events events) {
                return new LogEngine(settings, provider, creation, events);
            }

            @Override
            public List<LeaderTerm> history(int partition, Duration since) throws InterruptedException {
                return new PastTerms(provider, settings.shell(), MemberClock.system()).since(partition, since);
            }
        };
    }

    @Override
    public void start() {
        new ElectionLog(settings).starting(servers);
        election.start();
    }

    @Override
    public void awaitStarted(@Nullable Duration limit) {
        if (limit == null) {
            return;
        }
        MonotonicTime deadline = clock.time().plus(limit);
        try {
            do {
                boolean running = election.isRunning();
                boolean over = clock.time().hasReached(deadline);
                Optional<Problem> problem = election.logProblem().filter(now -> !now.passing() || (over && !running));
                if (problem.isPresent()) {
                    throw new NeliException(problem.get().what(), problem.get().fix());
                }
                if (running) {
                    return;
                }
                if (over) {
                    throw new NeliException(
                            "the servers at " + servers + " have not answered within neli.fail-fast, which is '"
                                    + SettingsCheck.text(Objects.requireNonNullElse(settings.failFast(), limit)) + "'",
                            "check the address, the network and the servers' logs");
                }
            } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NeliException("the start was interrupted", "start again");
        }
    }

    @Override
    public boolean leads(int partition, long token) {
        return election.leads(partition).orElse(-1) == token;
    }

    @Override
    public boolean lasts(int partition, long token) {
        return election.lasts(partition, token);
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return election.leader(partition).map(term -> leader(role, term));
    }

    private Leader leader(String role, Term term) {
        boolean self = term.holder().equals(election.self());
        return new Leader(role, term.holder().name(), term.token(), self, term.metadata());
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {
        election.drained(partition, token, fenced);
    }

    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {
        election.resign(partition, cooldown);
    }

    @Override
    public void pause(@Nullable Integer partition, boolean paused) {
        election.pause(partition, paused);
    }

    @Override
    public void candidate(boolean candidate) {
        election.candidate(candidate);
    }

    @Override
    public RunStore runStore() {
        return runStore.get();
    }

    @Override
    public NeliSnapshot snapshot() {
        return Snapshots.of(settings, election);
    }

    @Override
    public void close() {
        closed.countDown();
        election.close();
    }
}
