package io.neli.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.neli.protocol.Action;
import io.neli.protocol.Assignment;
import io.neli.protocol.Election;
import io.neli.protocol.ElectionState;
import io.neli.protocol.Input;
import io.neli.protocol.LogRecord;
import io.neli.protocol.Moment;
import io.neli.protocol.PartitionState;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the election: all inputs come together here, one at a time, and all actions leave from here. One thread turns it;
 * others leave their inputs in its inbox.
 */
final class Crank {

    private static final Logger log = LoggerFactory.getLogger(Crank.class);

    /** An input for the election. */
    private interface Message {
        Election.Step turn(ElectionState state, Moment now);
    }

    /** Where the actions go that are not for the log, and what the crank is turned by. */
    record Surroundings(
            MemberClock clock,
            EventSink events,
            Measurements measurements,
            Runnable rejoin,
            IgnoredRecords ignored,
            Problems problems) {}

    private final MemberSettings settings;
    private final Surroundings around;
    private final Runnable wakeup;
    private final Election election;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private volatile ElectionState state;
    private @Nullable LogWriter writer;

    /**
     * A crank that has not been turned yet.
     *
     * @param wakeup called, on any thread, when there is something in the inbox
     */
    Crank(MemberSettings settings, Surroundings around, Runnable wakeup) {
        this.settings = settings;
        this.around = around;
        this.wakeup = wakeup;
        this.election = new Election(settings.election());
        this.state = election.initial(settings.candidate());
    }

    /** What the member knows; from any thread. */
    ElectionState state() {
        return state;
    }

    /** From any thread, as are the other inputs up to {@link #close}. */
    void assigned(Assignment assignment) {
        post((current, now) -> election.assigned(current, assignment, now));
    }

    void drained(int partition, long token) {
        post((current, now) -> election.step(current, partition, new Input.Drained(token), now));
    }

    void resign(Duration cooldown) {
        post((current, now) -> election.resign(current, cooldown, now));
    }

    void pause(boolean paused) {
        post((current, now) -> election.pause(current, paused, now));
    }

    void close() {
        post(election::close);
    }

    private void post(Message message) {
        inbox.add(message);
        wakeup.run();
    }

    boolean hasMessages() {
        return !inbox.isEmpty();
    }

    void takeMessages() {
        for (Message message = inbox.poll(); message != null; message = inbox.poll()) {
            turn(message);
        }
    }

    /** Waits for a message, and takes it. */
    void awaitMessage(long limitNanos) throws InterruptedException {
        Message message = inbox.poll(limitNanos, TimeUnit.NANOSECONDS);
        if (message != null) {
            turn(message);
        }
    }

    /** Records go there from now on; nowhere if it is null. */
    void writeTo(@Nullable LogWriter log) {
        writer = log;
    }

    void step(Map<Integer, ? extends Input> inputs) {
        if (!inputs.isEmpty()) {
            turn((current, now) -> election.step(current, inputs, now));
        }
    }

    /** The log of these partitions is out of reach, or has lost records. */
    void lost(Collection<Integer> partitions) {
        step(partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> new Input.LogLost())));
    }

    void timePassed() {
        turn(election::timePassed);
    }

    /** Until it wants to be turned again; not negative. */
    Duration timeUntilDeadline() {
        Duration left = around.clock().now().time().until(state.deadline());
        return left.isNegative() ? Duration.ZERO : left;
    }

    boolean isClosing() {
        return state.candidacy().closing();
    }

    /** Whether a closing member has nothing left to wait for. */
    boolean isSettled() {
        return state.isSettledAt(around.clock().now());
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
            append(partition, append.content());
        } else if (action instanceof Action.Announce announce) {
            around.events().onEvent(partition, announce.event());
            log.info("Group {}, partition {}: {}", settings.groupId(), partition, announce.event());
        } else if (action instanceof Action.Rejoin) {
            around.rejoin().run();
        } else if (action instanceof Action.Ignore ignore) {
            around.ignored().count(ignore.kind(), partition);
        } else if (action instanceof Action.HeartbeatRead heartbeat) {
            around.measurements().heartbeatRead(partition, heartbeat.roundTrip());
        } else if (action instanceof Action.Led led) {
            around.measurements().led(partition, led.time());
        }
    }

    private void append(int partition, LogRecord content) {
        LogWriter current = writer;
        if (current == null) {
            return;
        }
        PartitionState before = state.partitions().get(partition);
        current.append(partition, content, before.position());
        if (content instanceof LogRecord.Bid) {
            around.measurements().bidSent(partition);
        } else if (content instanceof LogRecord.Claim && isHeldByAnother(before.term())) {
            around.measurements().takenOver(partition);
        }
    }

    private boolean isHeldByAnother(@Nullable Term term) {
        return term != null
                && !term.resigned()
                && !term.holder().equals(settings.election().self());
    }

    private void reportConflict() {
        if (state.candidacy().conflict()) {
            around.problems()
                    .report(
                            Problems.Source.CONFLICT,
                            new Problem(
                                    "neli.partitions, neli.roles or neli.mode differ from those of members of the group '"
                                            + settings.groupId() + "' that run (partitions are '"
                                            + settings.partitions() + "' and the mode is '"
                                            + settings.election().agreement().mode()
                                            + "' here), so this one does not stand",
                                    "stop all of them and start them with the same settings",
                                    true));
        } else {
            around.problems().clear(Problems.Source.CONFLICT);
        }
    }
}
