package io.neli.protocol;

import java.util.List;

/**
 * The rules for one partition, as a pure function. Time is handed in; the deadline says when the shell has to come back at
 * the latest.
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>from</th><th>on</th><th>to</th><th>actions</th></tr>
 * <tr><td>STANDBY</td><td>partition silent or vacant, and it may lead</td><td>STANDBY</td><td>append Bid</td></tr>
 * <tr><td>STANDBY</td><td>own bid first; vacant, or silent for 3/4 of the lease</td><td>STANDBY</td><td>append Claim</td></tr>
 * <tr><td>STANDBY</td><td>own claim read, its lease lasts</td><td>CLAIMED</td><td></td></tr>
 * <tr><td>STANDBY</td><td>own claim read, and it may not lead</td><td>STANDBY</td><td>append Resign</td></tr>
 * <tr><td>CLAIMED</td><td>others' bound has passed, and it may lead</td><td>LEADING</td><td>Acquired; append Heartbeat</td></tr>
 * <tr><td>CLAIMED</td><td>it may not lead</td><td>STANDBY</td><td>append Resign</td></tr>
 * <tr><td>CLAIMED</td><td>a later claim read, lease over, log lost</td><td>STANDBY</td><td></td></tr>
 * <tr><td>LEADING</td><td>it does not stand; or the owner has bid</td><td>DRAINING</td><td>Revoked</td></tr>
 * <tr><td>LEADING, DRAINING</td><td>a later claim read</td><td>STANDBY</td><td>Fenced (superseded)</td></tr>
 * <tr><td>LEADING, DRAINING</td><td>lease over</td><td>STANDBY</td><td>Fenced (lease expired)</td></tr>
 * <tr><td>LEADING, DRAINING</td><td>log lost</td><td>STANDBY</td><td>Fenced (log gap)</td></tr>
 * <tr><td>DRAINING</td><td>work has ended</td><td>STANDBY</td><td>append Resign</td></tr>
 * <tr><td>DRAINING</td><td>handover timeout</td><td>STANDBY</td><td>Fenced (handover timed out)</td></tr>
 * <tr><td>CLAIMED, LEADING, DRAINING</td><td>heartbeat due, or a foreign bid read</td><td>the same</td><td>append Heartbeat</td></tr>
 * </table>
 *
 * <p>It <em>may lead</em> if it stands and the work of its last fenced term has ended.
 *
 * <table>
 * <caption>What differs in non-exclusive mode</caption>
 * <tr><th>from</th><th>on</th><th>to</th><th>actions</th></tr>
 * <tr><td>STANDBY</td><td>owner by an assignment that knew the term, own bid read</td><td>STANDBY</td><td>append Claim</td></tr>
 * <tr><td>CLAIMED</td><td>it may lead</td><td>LEADING</td><td>Acquired; append Heartbeat</td></tr>
 * <tr><td>LEADING</td><td>a later claim read</td><td>LEADING</td><td>no more heartbeats</td></tr>
 * <tr><td>LEADING, superseded or resigned</td><td>lease over</td><td>DRAINING</td><td>Revoked</td></tr>
 * <tr><td>LEADING</td><td>it does not stand</td><td>LEADING</td><td>append Resign; no more heartbeats</td></tr>
 * <tr><td>LEADING, and resigned</td><td>the next has said that it leads; or no other stands</td><td>DRAINING</td>
 *   <td>Revoked</td></tr>
 * <tr><td>DRAINING</td><td>work has ended</td><td>STANDBY</td><td></td></tr>
 * </table>
 */
public final class PartitionElection {

    private final ElectionSettings settings;
    private final int partition;

    public PartitionElection(ElectionSettings settings, int partition) {
        this.settings = settings;
        this.partition = partition;
    }

    /**
     * What one input leads to.
     *
     * @param state the state from now on
     * @param actions what to do, in this order
     * @param deadline when to call again, with {@link Input.TimePassed} if nothing else has happened
     */
    public record Step(PartitionState state, List<Action> actions, MonotonicTime deadline) {}

    /** One turn of the crank. {@code now} may not lie before that of an earlier step. */
    public Step step(PartitionState state, Input input, Moment now) {
        Turn turn = new Turn(settings, partition, state, now);
        Leading.endLapsedTerm(turn);
        take(turn, input);
        turn.noteStanding();
        MonotonicTime deadline = turn.log == null ? MonotonicTime.NEVER : act(turn, turn.log);
        if (!turn.hasReached(turn.candidacy.cooldownUntil())) {
            deadline = MonotonicTime.earlier(deadline, turn.candidacy.cooldownUntil());
        }
        return new Step(turn.state(), turn.actions(), deadline);
    }

    private static void take(Turn turn, Input input) {
        if (input instanceof Input.RecordsRead records) {
            Reading.records(turn, records);
        } else if (input instanceof Input.LogOpened opened) {
            Reading.opened(turn, opened);
        } else if (input instanceof Input.LogLost) {
            Reading.lost(turn);
        } else if (input instanceof Input.Assigned assigned) {
            Leading.assigned(turn, assigned);
        } else if (input instanceof Input.CandidacyChanged changed) {
            turn.candidacy = changed.candidacy();
        } else if (input instanceof Input.Drained drained) {
            Leading.drained(turn, drained);
        }
    }

    private MonotonicTime act(Turn turn, LogView log) {
        MonotonicTime deadline = Leading.act(turn, log);
        if (turn.tenure.state() == State.STANDBY) {
            deadline = TakingOver.act(turn, log);
        }
        return log.conflictsWith(settings, turn.time()) ? MonotonicTime.earlier(deadline, log.holderBound()) : deadline;
    }
}
