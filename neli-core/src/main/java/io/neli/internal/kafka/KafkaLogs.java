package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.NameCheck;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** The logs are partitions of the leader topics, and the group is a consumer group. */
public final class KafkaLogs implements Logs {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final KafkaClients clients;
    private final Problems problems;
    private final ClientProperties properties;
    private final LeaderTopics leaderTopics;
    private final LogPositions positions;
    private final NameCheck names;
    private final GroupMember group;
    private final Thread groupThread;
    private final AtomicBoolean groupStarted = new AtomicBoolean();
    private @Nullable ElectionDriver driver;

    /** Logs for one start of a member. */
    public KafkaLogs(KafkaSettings settings, MemberClock clock, Problems problems) {
        this(settings, clock, problems, new KafkaClients());
    }

    KafkaLogs(KafkaSettings settings, MemberClock clock, Problems problems, KafkaClients clients) {
        this.settings = settings;
        this.clock = clock;
        this.clients = clients;
        this.problems = problems;
        this.positions = new LogPositions(settings.shell().quorum() > 1);
        this.properties = new ClientProperties(settings);
        this.leaderTopics = new LeaderTopics(
                settings,
                () -> settings.shell().candidate()
                        || driver().state().eligibility().candidate());
        this.names = new NameCheck(
                settings.shell().name(), ClientProperties.SESSION_TIMEOUT.plusSeconds(1), clock, problems);
        Map<String, Object> groupProperties = properties.group(new InGroup());
        this.group = new GroupMember(
                () -> clients.consumer(groupProperties),
                settings,
                clock,
                problems,
                () -> names.check(driver().state().plan()));
        this.groupThread = DaemonThread.of(settings.shell().threadName("group"), group);
    }

    private ElectionDriver driver() {
        return Objects.requireNonNull(driver, "not started");
    }

    @Override
    public void start(ElectionDriver started) {
        driver = started;
        properties.logOverridden();
    }

    @Override
    public Connection connect(Runnable wakeup) throws InterruptedException {
        return KafkaConnection.connect(
                new KafkaConnection.Member(settings, clock, problems, leaderTopics, positions, driver()),
                properties,
                clients,
                wakeup);
    }

    @Override
    public void opened() {
        if (!groupStarted.getAndSet(true)) {
            groupThread.start();
        }
    }

    @Override
    public void settled() {
        group.close();
    }

    @Override
    public Problem describe(Throwable why) {
        return new KafkaProblems(settings).ofTopic(0, why);
    }

    @Override
    public boolean isInterrupt(Throwable why) {
        return why instanceof InterruptException;
    }

    @Override
    public void rejoin() {
        group.rejoin();
    }

    @Override
    public void readFurtherBack(LogId log) {
        positions.extend(log);
    }

    @Override
    public void close() {
        group.close();
        if (groupStarted.get()) {
            DaemonThread.join(groupThread, CLOSE_LIMIT);
        }
    }

    /** What the member sends to the group and receives from it. */
    private final class InGroup implements NeliAssignor.Delegate {

        @Override
        public MemberMetadata metadata() {
            group.joining();
            return driver().metadata();
        }

        @Override
        public void assigned(MemberPlan plan) {
            group.joined();
            problems.clear(Problems.Source.GROUP);
            names.assigned();
            driver().assigned(plan);
        }
    }
}
