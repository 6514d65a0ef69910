package io.neli.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.neli.protocol.Action;
import io.neli.protocol.Assignment;
import io.neli.protocol.Election;
import io.neli.protocol.ElectionState;
import io.neli.protocol.Input;
import io.neli.protocol.Moment;
import io.neli.protocol.MonotonicTime;
import io.neli.protocol.PartitionState;
import io.neli.protocol.State;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log and turns the election, on one thread: all inputs come together here, and all actions leave from here. The
 * election's next deadline is the reader's poll timeout. When a client dies or the log is gone it connects anew, until the
 * member is closed.
 */
final class ElectionLoop implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ElectionLoop.class);

    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration RETRY_POLL = Duration.ofMillis(5);
    private static final long SHORTEST_BACKOFF_MILLIS = 50;
    private static final long LONGEST_BACKOFF_MILLIS = 5_000;

    /** An input for the election, from another thread. */
    private interface Message {
        Election.Step turn(ElectionState state, Moment now);
    }

    /** What the loop needs around it. */
    record Surroundings(
            MemberClock clock,
            EventSink events,
            Runnable rejoin,
            Runnable opened,
            IgnoredRecords ignored,
            Problems problems) {}

    private final MemberSettings settings;
    private final ClientProperties properties;
    private final KafkaClients clients;
    private final Surroundings around;
    private final Election election;
    private final LogFailure failure;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final Connecting connecting = new Connecting();

    private volatile ElectionState state;
    private volatile boolean running;
    private volatile @Nullable LogReader reader;
    private volatile long pollDeadlineNanos = Long.MAX_VALUE;
    private volatile long giveUpNanos;
    private volatile boolean closing;

    private @Nullable LogWriter writer;

    ElectionLoop(MemberSettings settings, ClientProperties properties, KafkaClients clients, Surroundings around) {
        this.settings = settings;
        this.properties = properties;
        this.clients = clients;
        this.around = around;
        this.election = new Election(settings.election());
        this.failure = new LogFailure(settings);
        this.state = election.initial(settings.candidate());
    }

    /** What the member knows; from any thread. */
    ElectionState state() {
        return state;
    }

    /** Whether the leader topic is read and written. */
    boolean isRunning() {
        return running;
    }

    /** Until when the reader may sleep, by {@link System#nanoTime}; a value far ahead while it does not sleep. */
    long pollDeadlineNanos() {
        return pollDeadlineNanos;
    }

    void assigned(Assignment assignment) {
        post((current, now) -> election.assigned(current, assignment, now));
    }

    void drained(int partition, long token) {
        post((current, now) -> election.step(current, partition, new Input.Drained(token), now));
    }

    void resign(Duration cooldown) {
        post((current, now) -> election.resign(current, cooldown, now));
    }

    /** Hands over and ends; gives up waiting for the handover after the limit. */
    void close(Duration limit) {
        giveUpNanos = System.nanoTime() + limit.toNanos();
        closing = true;
        post(election::close);
        connecting.close();
    }

    private void post(Message message) {
        inbox.add(message);
        wakeup();
    }

    /** Ends the reader's sleep; from any thread. */
    void wakeup() {
        LogReader current = reader;
        if (current != null) {
            current.wakeup();
        }
    }

    @Override
    public void run() {
        long backoff = SHORTEST_BACKOFF_MILLIS;
        while (!isFinished()) {
            long start = System.nanoTime();
            try (LogConnection connection = connect()) {
                turnWhileConnected(connection);
            } catch (InterruptedException | InterruptException e) {
                log.debug("Group {}: interrupted, as it is to close", settings.groupId());
            } catch (RuntimeException | Error e) { // an Error too must not end the election
                around.problems().report(Problems.Source.LOG, failure.describe(e));
                log.debug("Group {}: the log's clients are rebuilt", settings.groupId(), e);
            } finally {
                disconnected();
            }
            // A connection that could be made but not used is no success.
            boolean lasted = System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(2 * LONGEST_BACKOFF_MILLIS);
            backoff = lasted ? SHORTEST_BACKOFF_MILLIS : backoff;
            waitBeforeReconnect(backoff);
            backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MILLIS);
        }
    }

    private boolean isFinished() {
        return closing
                && state.candidacy().closing()
                && (state.isSettledAt(around.clock().now()) || System.nanoTime() - giveUpNanos > 0);
    }

    private LogConnection connect() throws InterruptedException {
        return connecting.call(() -> LogConnection.connect(settings, properties, clients));
    }

    private void turnWhileConnected(LogConnection connection) throws InterruptedException {
        writer = connection.writer();
        LogCheck check = new LogCheck(connection, settings, around.problems());
        stepAll(connecting.call(() -> connection.openAll(settings.partitions())));
        reader = connection.reader();
        running = true;
        around.problems().clear(Problems.Source.LOG);
        around.opened().run();
        while (!isFinished()) {
            takeMessages();
            boolean unsent = connection.writer().retry();
            Duration timeout = timeUntilDeadline();
            LogReader.Batch batch =
                    poll(connection.reader(), unsent && timeout.compareTo(RETRY_POLL) > 0 ? RETRY_POLL : timeout);
            if (batch instanceof LogReader.Batch.Read read) {
                stepAll(read.records());
                check.reading(read, state.partitions().stream().anyMatch(ElectionLoop::isLed));
            } else if (batch instanceof LogReader.Batch.Gap gap) {
                log.warn(
                        "Group {}: records that were to be read next are gone, partitions {}",
                        settings.groupId(),
                        gap.partitions());
                gap.partitions().forEach(partition -> step(partition, new Input.LogLost()));
                stepAll(connection.reopen(gap.partitions()));
            }
            turn(election::timePassed);
            check.writing();
        }
    }

    private static boolean isLed(PartitionState partition) {
        return partition.state() == State.LEADING || partition.state() == State.DRAINING;
    }

    private LogReader.Batch poll(LogReader current, Duration timeout) {
        // A message that came before the reader was there to be woken must not wait.
        Duration sleep = inbox.isEmpty() ? timeout : Duration.ZERO;
        pollDeadlineNanos = System.nanoTime() + sleep.toNanos();
        try {
            return current.poll(sleep);
        } finally {
            pollDeadlineNanos = Long.MAX_VALUE;
        }
    }

    private Duration timeUntilDeadline() {
        Duration left = around.clock().now().time().until(capped(state.deadline()));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private MonotonicTime capped(MonotonicTime deadline) {
        MonotonicTime latest = around.clock().now().time().plus(LONGEST_POLL);
        return deadline.compareTo(latest) < 0 ? deadline : latest;
    }

    private void takeMessages() {
        for (Message message = inbox.poll(); message != null; message = inbox.poll()) {
            turn(message);
        }
    }

    private void stepAll(Map<Integer, ? extends Input> inputs) {
        inputs.forEach(this::step);
    }

    private void step(int partition, Input input) {
        turn((current, now) -> election.step(current, partition, input, now));
    }

    private void turn(Message message) {
        Election.Step step = message.turn(state, around.clock().now());
        // Before anything is told or written: a leader that resigns must have ceased to lead for everybody who asks.
        state = step.state();
        step.actions().forEach(this::perform);
        reportConflict();
    }

    private void perform(Election.PartitionAction addressed) {
        int partition = addressed.partition();
        Action action = addressed.action();
        if (action instanceof Action.Append append) {
            LogWriter current = writer;
            if (current != null) {
                current.append(
                        partition,
                        append.content(),
                        state.partitions().get(partition).position());
            }
        } else if (action instanceof Action.Announce announce) {
            log.info("Group {}, partition {}: {}", settings.groupId(), partition, announce.event());
            around.events().onEvent(partition, announce.event());
        } else if (action instanceof Action.Rejoin) {
            around.rejoin().run();
        } else if (action instanceof Action.Ignore ignore) {
            around.ignored().count(ignore.kind(), partition);
        }
    }

    private void reportConflict() {
        if (state.candidacy().conflict()) {
            around.problems()
                    .report(
                            Problems.Source.CONFLICT,
                            "neli.partitions is '" + settings.partitions() + "' here: members of the group '"
                                    + settings.groupId()
                                    + "' run with other partitions, roles or mode, so this one does not"
                                    + " stand; stop all of them and start them with the same settings");
        } else {
            around.problems().clear(Problems.Source.CONFLICT);
        }
    }

    private void disconnected() {
        running = false;
        reader = null;
        writer = null;
        for (int partition = 0; partition < settings.partitions(); partition++) {
            step(partition, new Input.LogLost());
        }
    }

    /** Goes on to serve messages meanwhile. */
    private void waitBeforeReconnect(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            for (long left = until - System.nanoTime(); left > 0 && !isFinished(); left = until - System.nanoTime()) {
                Message message = inbox.poll(left, TimeUnit.NANOSECONDS);
                if (message != null) {
                    turn(message);
                }
            }
        } catch (InterruptedException e) {
            log.debug("Group {}: interrupted while it waited", settings.groupId());
        }
    }
}
