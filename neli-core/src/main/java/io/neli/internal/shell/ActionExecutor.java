package io.neli.internal.shell;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import io.neli.internal.election.Action;
import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what the rules decide. Belongs to the thread that steps the election. */
final class ActionExecutor {

    private static final Logger log = LoggerFactory.getLogger(ActionExecutor.class);

    /** A problem that shows in records is over when no such record has been read for this long. */
    private static final int LEASES_UNTIL_OVER = 10;

    private final ShellSettings settings;
    private final MemberClock clock;
    private final Effects effects;
    private final Logs logs;
    private final Map<Problems.Source, MonotonicTime> overAt = new EnumMap<>(Problems.Source.class);
    private Logs.@Nullable Connection connection;

    /** The RESIGNs that could not be written yet: without one, the successor would wait for the whole lease. */
    private final Map<LogId, LogRecord.Resign> unsentResigns = new HashMap<>();

    /** By partition, the token of the last counted takeover: the member claims on each log, which counts as one. */
    private final Map<Integer, Long> takeovers = new HashMap<>();

    ActionExecutor(ShellSettings settings, MemberClock clock, Effects effects, Logs logs) {
        this.settings = settings;
        this.clock = clock;
        this.effects = effects;
        this.logs = logs;
    }

    /** Sets where records go from now on; null for nowhere. */
    void use(Logs.@Nullable Connection next, ElectionState state) {
        connection = next;
        if (next != null) {
            unsentResigns.forEach((place, resign) ->
                    next.append(place, resign, state.log(place).position()));
            unsentResigns.clear();
        }
    }

    /** Drops the RESIGNs that could not be written to these logs. */
    void forget(Collection<LogId> logs) {
        unsentResigns.keySet().removeAll(logs);
    }

    void timePassed() {
        MonotonicTime now = clock.time();
        overAt.forEach((source, over) -> {
            if (now.hasReached(over)) {
                effects.problems().clear(source);
            }
        });
        overAt.values().removeIf(now::hasReached);
    }

    private void report(Problems.Source source, String what, String fix) {
        Duration showing = settings.election().leaseDuration().multipliedBy(LEASES_UNTIL_OVER);
        overAt.put(source, clock.time().plus(showing));
        effects.problems().report(source, new Problem(what, fix, true));
    }

    /** Carries out the actions of a step, whose state is already published. */
    void execute(Election.Step step, MemberId self) {
        for (Election.PartitionAction each : step.actions()) {
            try {
                execute(each, step.state(), self);
            } catch (Throwable e) { // the others, such as another partition's fence, must still be carried out
                log.error("Group {}: {} could not be carried out", settings.groupId(), each, e);
            }
        }
        if (connection != null) { // counts one bid for a partition, although there is one in each of its logs
            step.actions().stream()
                    .filter(each ->
                            each.action() instanceof Action.Append append && append.content() instanceof LogRecord.Bid)
                    .mapToInt(each -> each.log().partition())
                    .distinct()
                    .forEach(partition -> effects.metrics().report(metrics -> metrics.bidSent(partition)));
        }
    }

    private void execute(Election.PartitionAction addressed, ElectionState state, MemberId self) {
        LogId place = addressed.log();
        Action action = addressed.action();
        if (action instanceof Action.Append append) {
            append(place, append.content(), state, self);
        } else if (action instanceof Action.Announce announce) {
            effects.events().accept(announce.event());
        } else if (action instanceof Action.Rejoin) {
            logs.rejoin();
        } else if (action instanceof Action.ReportCopy) {
            report(
                    Problems.Source.COPIES,
                    "neli.topic.name is '" + settings.topic(place.log()) + "': something copies records of another"
                            + " cluster, topic or partition into it, which are ignored",
                    "exclude the topic from mirroring (topics.exclude of MirrorMaker), or give the two sites"
                            + " different names of topics");
        } else if (action instanceof Action.Renew) {
            report(
                    Problems.Source.TWINS,
                    "neli.name is '" + settings.name()
                            + "': two processes write as one member, and this one continues as another: was"
                            + " a snapshot of a running process restored twice?",
                    "start each instance from its image, or take the snapshot before neli is started");
        } else if (action instanceof Action.ReadFurtherBack) {
            logs.readFurtherBack(place);
        } else if (action instanceof Action.HeartbeatRead heartbeat) {
            effects.metrics().report(metrics -> metrics.heartbeatRead(place.partition(), heartbeat.roundTrip()));
        }
    }

    private void append(LogId place, LogRecord content, ElectionState state, MemberId self) {
        if (connection == null) {
            if (content instanceof LogRecord.Resign resign) {
                unsentResigns.put(place, resign);
            }
            return;
        }
        connection.append(place, content, state.log(place).position());
        Term term = state.partitions().get(place.partition()).term();
        if (content instanceof LogRecord.Claim claim
                && term != null
                && !term.resigned()
                && !term.holder().equals(self)) {
            Long token = claim.sender().token();
            if (!token.equals(takeovers.put(place.partition(), token))) {
                effects.metrics().report(metrics -> metrics.takenOver(place.partition()));
            }
        }
    }
}
