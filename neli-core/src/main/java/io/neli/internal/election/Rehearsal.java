package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Mode;

/**
 * Warms up the code of these rules: two members in memory hand leadership to each other. A JVM loads and links code
 * when it is first used. That takes tens of milliseconds here, which a takeover should not have to wait for.
 */
public final class Rehearsal {

    private static final int PARTITION = 0;
    private static final LogId LOG = new LogId(PARTITION, 0);
    private static final MemberPlan.Share FIRST_THEN_SECOND =
            new MemberPlan.Share(new MemberHash(1), null, new MemberHash(2));
    private static final int HANDOVERS = 10;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final int MOST_TICKS = 1_000;

    private final RecordCodec codec = new RecordCodec("rehearsal");
    private final List<LogEntry> log = new ArrayList<>();
    private final List<String> announced = new ArrayList<>();
    private long tick = 1;

    private Rehearsal() {}

    /**
     * Runs for some milliseconds in the calling thread, without side effects.
     *
     * @return the events, as text like that which is logged for real ones
     */
    public static List<String> run() {
        return new Rehearsal().handOver();
    }

    private List<String> handOver() {
        GroupConfig config = new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1);
        ElectionSettings settings = new ElectionSettings(
                TICK.multipliedBy(8), TICK.multipliedBy(2), TICK.multipliedBy(100), config, Map.of());
        List<Participant> members = List.of(new Participant(1, settings), new Participant(2, settings));
        for (; tick < MOST_TICKS && announced.size() < 2 * HANDOVERS; tick++) {
            members.forEach(Participant::readAndResign);
        }
        return announced;
    }

    private Moment now() {
        Duration passed = TICK.multipliedBy(tick);
        return new Moment(new MonotonicTime(passed.toNanos()), passed.toMillis());
    }

    /** A member that reads and writes the log in memory. */
    private final class Participant {

        private final Election election;
        private ElectionState state;

        Participant(long number, ElectionSettings settings) {
            election = new Election(new MemberId("rehearsal-" + number, new UUID(0, number)), settings);
            state = election.initial(true);
            carryOut(election.step(state, Map.of(LOG, new Input.LogOpened(0, 0, false)), now()));
            String config = settings.groupConfig().fingerprint();
            List<MemberPlan.Share> shares = List.of(FIRST_THEN_SECOND);
            carryOut(election.assigned(state, new MemberPlan(config, 2, true, Set.of(), Set.of(), shares), now()));
        }

        /** Reads what is new, and resigns if it leads then. */
        void readAndResign() {
            int position = Math.toIntExact(state.log(LOG).position());
            List<LogEntry> unread = List.copyOf(log.subList(position, log.size()));
            carryOut(election.step(state, Map.of(LOG, new Input.RecordsRead(unread, log.size())), now()));
            carryOut(election.timePassed(state, now()));
            if (state.partitions().get(PARTITION).leadingAt(now()) != Term.NONE) {
                carryOut(election.resign(state, null, Duration.ZERO, now()));
            }
        }

        private void carryOut(Election.Step step) {
            state = step.state();
            for (Election.PartitionAction each : step.actions()) {
                if (each.action() instanceof Action.Append append) {
                    log.add(new LogEntry(log.size(), codec.decode(codec.key(), codec.encode(append.content()))));
                } else if (each.action() instanceof Action.Announce announce) {
                    carryOut(announce.event());
                }
            }
        }

        /** Reports immediately that the work of a term has ended, because there is none. */
        private void carryOut(LeaderEvent event) {
            announced.add(event.toString());
            if (!(event instanceof LeaderAcquired)) {
                boolean fenced = event instanceof LeaderEvent.LeaderFenced;
                carryOut(election.drained(state, PARTITION, event.token(), fenced, now()));
            }
        }
    }
}
