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
    private final List<Participant> members;
    private final List<String> announced = new ArrayList<>();
    private long tick = 1;

    private Rehearsal(ElectionSettings settings) {
        members = List.of(new Participant(1, settings), new Participant(2, settings));
    }

    /**
     * Runs for some milliseconds in the calling thread, without side effects.
     *
     * @return the events, as text like that which is logged for real ones
     */
    public static List<String> run() {
        return new Rehearsal(new ElectionSettings(
                        TICK.multipliedBy(8),
                        TICK.multipliedBy(2),
                        TICK.multipliedBy(100),
                        new GroupConfig(Mode.EXCLUSIVE, 1, "none"),
                        Map.of()))
                .handOver();
    }

    private List<String> handOver() {
        members.forEach(Participant::open);
        int acquired = 0;
        for (; tick < MOST_TICKS && acquired < HANDOVERS; tick++) {
            for (Participant member : members) {
                member.read();
                if (member.leads()) {
                    acquired++;
                    member.resign();
                }
            }
        }
        return announced;
    }

    private Moment now() {
        long nanos = TICK.multipliedBy(tick).toNanos();
        return new Moment(new MonotonicTime(nanos), TICK.multipliedBy(tick).toMillis());
    }

    private void append(LogRecord content) {
        log.add(new LogEntry(log.size(), codec.decode(codec.key(), codec.encode(content))));
    }

    /** A member that reads and writes the log in memory. */
    private final class Participant {

        private final Election election;
        private final String groupConfig;
        private ElectionState state;

        Participant(long number, ElectionSettings settings) {
            groupConfig = settings.groupConfig().fingerprint();
            election = new Election(new MemberId("rehearsal-" + number, new UUID(0, number)), settings);
            state = election.initial(true);
        }

        private void open() {
            step(new Input.LogOpened(0, 0));
            carryOut(election.assigned(
                    state,
                    new MemberPlan(groupConfig, 2, true, Set.of(), Set.of(), 0, List.of(FIRST_THEN_SECOND)),
                    now()));
        }

        private void read() {
            int position = Math.toIntExact(state.partitions().get(PARTITION).position(0));
            List<LogEntry> unread = List.copyOf(log.subList(position, log.size()));
            step(new Input.RecordsRead(unread, log.size()));
            carryOut(election.timePassed(state, now()));
        }

        private boolean leads() {
            return state.partitions().get(PARTITION).leadingAt(now()) != Term.NONE;
        }

        private void resign() {
            carryOut(election.resign(state, null, Duration.ZERO, now()));
        }

        private void step(Input input) {
            carryOut(election.step(state, LOG, input, now()));
        }

        private void carryOut(Election.Step step) {
            state = step.state();
            for (Election.PartitionAction each : step.actions()) {
                if (each.action() instanceof Action.Append append) {
                    append(append.content());
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
