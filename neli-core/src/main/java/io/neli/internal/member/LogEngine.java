package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.neli.Leader;
import io.neli.LeaderTerm;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.internal.election.Term;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.Effects;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.ElectionThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Participant;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** The engine of an election on logs: the order of records decides who leads. */
public final class LogEngine implements Engine {

    public record Factory(MemberSettings settings, LogProvider provider, LogProvider.Creation creation)
            implements Engine.Factory {

        @Override
        public Engine create(Events events) {
            return new LogEngine(settings, provider, creation, events);
        }

        @Override
        public RunStore runStore() {
            return provider.runStore(settings.shell(), creation);
        }

        @Override
        public List<LeaderTerm> history(int partition, Duration since) throws InterruptedException {
            return PastTerms.read(provider, settings.shell(), partition, since);
        }
    }

    private static final long PAUSE_MILLIS = 10;

    private final MemberSettings settings;
    private final String servers;
    private final ShellSettings shell;
    private final MemberClock clock = MemberClock.system();
    private final Problems problems;
    private final ElectionThread election;
    private final ElectionDriver driver;
    private final CountDownLatch closed = new CountDownLatch(1);

    private LogEngine(MemberSettings settings, LogProvider provider, LogProvider.Creation creation, Events events) {
        this.settings = settings;
        this.servers = provider.servers();
        this.shell = settings.shell();
        this.problems = new Problems(settings.groupId());
        this.election = new ElectionThread(
                shell,
                driver -> provider.logs(shell, creation, driver, problems),
                clock,
                new Effects(
                        events::changed,
                        (partition, term) -> events.leaderChanged(
                                partition, term.map(led -> leader(Roles.ofPartition(partition), led))),
                        settings.metrics(),
                        problems));
        this.driver = election.driver();
    }

    @Override
    public void start() {
        new ElectionLog(settings).starting(servers);
        election.start();
    }

    /**
     * Waits on another thread, so that the caller waits without a limit of its own. Only from such a wait does Spring
     * wake a thread that starts a context, if the context is closed meanwhile.
     */
    @Override
    public void awaitStarted() {
        Duration limit = settings.failFast();
        if (limit == null) {
            return;
        }
        FutureTask<@Nullable Void> waiting = new FutureTask<>(() -> {
            awaitStarted(limit);
            return null;
        });
        DaemonThread.of(settings.threadName("start"), waiting).start();
        try {
            waiting.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof NeliException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            waiting.cancel(true);
            Thread.currentThread().interrupt();
            throw new NeliException("the start was interrupted", "start again");
        }
    }

    private void awaitStarted(Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.after(limit, clock);
        do {
            boolean running = election.isRunning();
            boolean over = deadline.left().isZero();
            Optional<Problem> problem = problems.ofLogs().filter(now -> !now.passing() || (over && !running));
            if (problem.isPresent()) {
                throw new NeliException(problem.get().what(), problem.get().fix());
            }
            if (running) {
                return;
            }
            if (over) {
                throw new NeliException(
                        "the servers at " + servers + " have not answered within neli.fail-fast, which is '"
                                + Problem.text(limit) + "'",
                        "check the address, the network and the servers' logs");
            }
        } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    }

    @Override
    public Participant participant() {
        return driver;
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return driver.leader(partition).map(term -> leader(role, term));
    }

    private Leader leader(String role, Term term) {
        boolean self = term.holder().equals(driver.self());
        return new Leader(role, term.holder().name(), term.token(), self, term.metadata());
    }

    @Override
    public NeliSnapshot snapshot(IntFunction<Duration> preparingFor) {
        return new LogSnapshot(
                        settings,
                        shell.election().groupConfig(),
                        election,
                        clock.now(),
                        driver.state(),
                        driver.self(),
                        preparingFor)
                .of(problems);
    }

    @Override
    public void close() {
        closed.countDown();
        election.close();
    }
}
