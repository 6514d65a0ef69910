package io.neli.internal.kafka;

import java.time.Duration;

import io.neli.internal.election.LogId;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.common.KafkaException;

/** An election on Kafka: its logs are the partitions of the leader topics, and its group is a consumer group. */
public final class KafkaLogs implements Logs {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final KafkaClients clients;
    private final Problems problems;
    private final LeaderTopics leaderTopics;
    private final LogPositions positions;
    private final GroupMember group;
    private final Thread groupThread;
    private final ElectionDriver driver;
    private volatile boolean triedToConnect;

    public KafkaLogs(KafkaSettings settings, MemberClock clock, Problems problems, ElectionDriver driver) {
        this(settings, clock, problems, driver, new KafkaClients(settings));
    }

    KafkaLogs(
            KafkaSettings settings, MemberClock clock, Problems problems, ElectionDriver driver, KafkaClients clients) {
        this.settings = settings;
        this.clock = clock;
        this.clients = clients;
        this.problems = problems;
        this.driver = driver;
        this.positions = new LogPositions(settings.isQuorum());
        this.leaderTopics = new LeaderTopics(
                settings,
                () -> settings.shell().candidate()
                        || driver.state().eligibility().candidate());
        this.group = new GroupMember(settings, clock, problems, driver, clients);
        this.groupThread = DaemonThread.of(settings.shell().threadName("group"), group);
    }

    /**
     * Checks the client properties, without connecting.
     *
     * @throws UnusableLogException if no client can be created with them
     */
    public static void checkClient(KafkaSettings settings) {
        Thread caller = Thread.currentThread();
        ClassLoader context = caller.getContextClassLoader();
        caller.setContextClassLoader(DaemonThread.loaderOfNeli(context)); // some properties name classes
        try {
            new ClientProperties(settings).check();
        } catch (KafkaException e) {
            throw new UnusableLogException(new KafkaProblems(settings).ofTopic(0, e), e);
        } finally {
            caller.setContextClassLoader(context);
        }
    }

    @Override
    public KafkaConnection connect() throws InterruptedException {
        if (!triedToConnect) {
            triedToConnect = true;
            new ClientProperties(settings).logOverridden();
        }
        return new KafkaConnection(settings, clock, problems, leaderTopics, positions, driver, clients);
    }

    @Override
    public void opened() {
        if (groupThread.getState() == Thread.State.NEW) {
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
    public void renewed() {
        group.renewed();
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
        DaemonThread.join(groupThread, CLOSE_LIMIT);
    }
}
