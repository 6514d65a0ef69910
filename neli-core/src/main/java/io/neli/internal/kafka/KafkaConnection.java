package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the logs with its own Kafka clients, and passes what happens there to the election. A failing topic
 * affects only its own logs as long as a majority of the topics is usable, because another connection could take longer
 * than a lease: while an address in {@code bootstrap.servers} does not answer, its clients may try that one first.
 * Otherwise the connection fails, and the next one continues where it ended. Belongs to the election's thread once it
 * has begun.
 */
final class KafkaConnection implements Logs.Connection {

    private static final Logger log = LoggerFactory.getLogger(KafkaConnection.class);

    /** Usually a client sees a new topic in less than one. */
    private static final int LEASES_UNTIL_SEEN = 4;

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final LogPositions positions;
    private final ElectionDriver driver;
    private final Deque<Runnable> closing = new ArrayDeque<>();
    final ConnectedTopics topics;
    private final LogOpening opening;
    private final LogWriter writer;
    private final Consumer<byte[], byte[]> consumer;
    private final LogReader reader;
    private final LogHealth health;

    /** The topics that were created again during this connection, and by when its writer must have seen them. */
    private final Map<Integer, MonotonicTime> createdAgain = new HashMap<>();

    /** Connects, with a time limit for each step. Returns once a candidate can write to a majority of the topics. */
    KafkaConnection(
            KafkaSettings settings,
            MemberClock clock,
            Problems problems,
            LeaderTopics leaderTopics,
            LogPositions positions,
            ElectionDriver driver,
            KafkaClients clients)
            throws InterruptedException {
        this.settings = settings;
        this.clock = clock;
        this.positions = positions;
        this.driver = driver;
        try {
            Admin admin = clients.admin();
            closing.push(() -> KafkaClients.close(admin));
            KafkaFuture<String> clusterId = admin.describeCluster().clusterId();
            topics = new ConnectedTopics(settings, clock, admin, leaderTopics::find, driver::wakeReader);
            closing.push(topics::close);
            topics.search();
            // The search runs meanwhile. The clients must not ask for a missing topic: that would create it.
            KafkaRecords kafkaRecords = new KafkaRecords(settings.shell());
            writer = new LogWriter(clients::writer, settings.shell(), kafkaRecords, clock);
            closing.push(writer::close);
            if (mayLead()) {
                writer.start();
            }
            consumer = clients.reader("log");
            closing.push(() -> KafkaClients.close(consumer));
            reader = new LogReader(consumer, settings.shell(), kafkaRecords);
            opening = new LogOpening(admin, topics, kafkaRecords, clock, driver::wakeReader);
            health = new LogHealth(settings, topics, positions, clock, problems);
            topics.awaitFound();
            kafkaRecords.setCluster(AdminRequests.answer(clusterId));
            if (writer.isStarted()) {
                warmUp();
            }
        } catch (Throwable e) { // an Error must not leave clients behind either
            close();
            throw e;
        }
    }

    private boolean mayLead() {
        return driver.state().eligibility().candidate();
    }

    /** Waits only for the topics' metadata: a partition without a leader must not delay the others. */
    private void warmUp() throws InterruptedException {
        MonotonicTime deadline = clock.time().plus(WARM_UP_LIMIT);
        for (int number : topics.ids().keySet()) {
            while (!writer.isReady(number)) {
                if (clock.time().hasReached(deadline)) {
                    throw new TimeoutException(
                            "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
                }
                Thread.sleep(WARM_UP_PAUSE_MILLIS);
            }
        }
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void append(LogId place, LogRecord content, long readerPosition) {
        writer.append(place, content, readerPosition);
    }

    /** Continues where the last connection ended, in the same topics. Logs that it was still opening are reopened. */
    @Override
    public void begin() {
        positions.lost(settings.shell().logs().stream()
                .filter(each -> !driver.isOpen(each))
                .toList());
        topics.failures().keySet().forEach(number -> lose(settings.shell().logsOf(number)));
        takeTopics();
        for (LogId each : settings.shell().logs()) {
            OffsetAndMetadata next = positions.next(each);
            if (next != null) {
                reader.start(each, next);
            }
        }
        createdAgain.clear(); // these clients are new
    }

    /** Takes the topics found. If one has replaced another of the same name, forgets what was known of its logs. */
    private void takeTopics() {
        Duration lease = settings.shell().election().leaseDuration();
        topics.ids().forEach((number, id) -> {
            if (!positions.areOf(number, id)) {
                driver.lost(settings.shell().logsOf(number));
                positions.reset(number, id);
                createdAgain.put(number, clock.time().plus(lease.multipliedBy(LEASES_UNTIL_SEEN)));
            }
        });
    }

    /**
     * Ends the connection if its writer does not see a topic that was created again. A broker that learns of the topic
     * while it answers a client may call it unknown, but name its new id (KafkaApis.getTopicMetadata). From then on,
     * that client takes the leader epochs of the new topic for those of the old one, and ignores them while they are
     * smaller.
     */
    private void requireSeen() {
        for (Map.Entry<Integer, MonotonicTime> each : createdAgain.entrySet()) {
            int number = each.getKey();
            if (topics.isConfirmed(number) && clock.time().hasReached(each.getValue())) {
                if (writer.isStarted() && !writer.isReady(number)) {
                    throw new Logs.ConnectAgain(
                            settings.shell().topic(number) + " was created again and cannot be written");
                }
                each.setValue(MonotonicTime.NEVER); // it was seen
            }
        }
    }

    @Override
    public void open() throws InterruptedException {
        topics.step();
        loseTopics();
        takeTopics();
        if (mayLead() && !writer.isStarted()) { // no longer an observer, whose first bid must not wait for metadata
            topics.ids().keySet().forEach(writer::isReady);
        }
        requireSeen();
        List<LogId> closed = settings.shell().logs().stream()
                .filter(each -> !positions.isOpen(each) && !opening.isWanted(each) && !topics.isMissing(each))
                .toList();
        reader.pause(closed);
        opening.want(closed, Duration.ZERO);
        opening.ask();
        Map<LogId, Input.LogOpened> opened = new HashMap<>();
        opening.take().forEach((each, bounds) -> {
            Input.LogOpened input = positions.open(each, bounds.begin(), bounds.end());
            reader.start(each, new OffsetAndMetadata(input.start()));
            opened.put(each, input);
        });
        driver.step(opened);
        health.opened(opened.keySet());
        loseTopics(); // topics refused while opening
    }

    /** Gives up the logs of topics that became unusable; throws, to end the connection, if no majority is left. */
    private void loseTopics() {
        topics.takeLost().forEach(number -> lose(settings.shell().logsOf(number)));
        topics.requireMajority();
    }

    /** Stops reading these logs. They are opened again once the ids of their topics are confirmed. */
    private void lose(Collection<LogId> logs) {
        driver.lost(logs);
        positions.lost(logs);
        reader.pause(logs);
        writer.drop(logs);
        opening.want(logs, Duration.ZERO);
        logs.stream().mapToInt(LogId::log).distinct().forEach(topics::doubt);
    }

    @Override
    public Set<LogId> lostLogs() {
        return health.failing();
    }

    @Override
    public void read(Duration longest) throws InterruptedException {
        try {
            take(reader.poll(Collections.min(List.of(longest, untilDue()))));
        } catch (TopicAuthorizationException e) {
            if (e.unauthorizedTopics().isEmpty()) {
                throw e;
            }
            e.unauthorizedTopics()
                    .forEach(topic -> topics.fail(settings.shell().topics().indexOf(topic), e));
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
        takeOutcomes();
        Set<LogId> stuck = health.stuck();
        if (!stuck.isEmpty()) {
            log.warn("{}: these logs are not read to where they ended, they are opened again, {}", name(), stuck);
            if (stuck.stream().anyMatch(each -> createdAgain.containsKey(each.log()))) {
                throw new Logs.ConnectAgain("a topic was created again and cannot be read"); // see requireSeen()
            }
            lose(stuck);
        }
        loseTopics();
        List<PartitionState> partitions = driver.state().partitions();
        health.report(
                opening.closedFor(settings.shell().election().leaseDuration()),
                partition -> partitions.get(partition).enough(),
                each -> partitions.get(each.partition()).isCreatedAgain(each.log()));
    }

    /** How long until something is due even if no record arrives; not negative. */
    private Duration untilDue() {
        MonotonicTime retryAt = writer.retry() ? clock.time().plus(writer.retryPause()) : MonotonicTime.NEVER;
        MonotonicTime dueAt = Collections.min(List.of(opening.askAt(), topics.dueAt(), retryAt));
        return new Deadline(dueAt, clock).left();
    }

    private void take(LogReader.Batch batch) {
        if (batch instanceof LogReader.Batch.Read read) {
            driver.step(read.records());
            positions.read(read.next());
            health.read(read.records().keySet());
        } else if (batch instanceof LogReader.Batch.Gap gap) {
            log.warn("{}: the records to be read next are gone, {}", name(), gap.logs());
            lose(gap.logs());
        } else if (batch instanceof LogReader.Batch.Corrupt corrupt) {
            log.warn("{}: corrupt records are skipped, {}", name(), corrupt);
            driver.lost(Set.of(corrupt.log()));
            positions.skip(corrupt.log(), corrupt.offset());
            opening.want(Set.of(corrupt.log()), LogOpening.SHORTEST_PAUSE); // the next record may be corrupt, too
        }
    }

    private String name() {
        return "Group " + settings.shell().groupId() + ", topics "
                + settings.shell().topics();
    }

    private void takeOutcomes() {
        for (LogWriter.Outcome outcome = writer.nextOutcome(); outcome != null; outcome = writer.nextOutcome()) {
            if (outcome.isUnknownTopic()) {
                topics.suspect(outcome.log().log());
            }
            if (outcome.failure() != null) {
                health.failed(outcome.log(), outcome.failure());
                continue;
            }
            health.written(outcome.log(), outcome.offset());
            if (outcome.offset() >= 0 && outcome.offset() < outcome.readerPosition()) {
                topics.replaced(outcome.log().log(), "its offsets have gone back");
            }
        }
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // an interrupt may have ended the connection; it must not interrupt the close
        while (!closing.isEmpty()) {
            try {
                closing.pop().run();
            } catch (RuntimeException e) { // the others must still be closed
                log.debug("A client has failed to close", e);
            }
        }
    }
}
