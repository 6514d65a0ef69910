package io.neli.internal.election;

import java.util.List;
import java.util.Map;

import io.neli.internal.election.Election.PartitionAction;

/**
 * The rules for one partition. It lies on one log, or on several: then what follows about bids, claims, resignations
 * and heartbeats happens on each of them, and a member leads while it holds a majority.
 *
 * <table> <caption>Transitions</caption> <tr><th>from</th><th>on</th><th>to</th><th>actions</th></tr>
 * <tr><td>STANDBY</td><td>partition silent or vacant, and it may lead</td><td>STANDBY</td><td>append Bid</td></tr>
 * <tr><td>STANDBY</td><td>the holder has resigned and invited it</td><td>STANDBY</td><td>append Claim</td></tr>
 * <tr><td>STANDBY</td><td>own bid first; vacant, or silent for 3/4 of the lease</td><td>STANDBY</td><td>append
 * Claim</td></tr> <tr><td>STANDBY</td><td>own claim read, its lease lasts</td><td>CLAIMED</td><td></td></tr>
 * <tr><td>STANDBY</td><td>own claim read, and it may not lead</td><td>STANDBY</td><td>append Resign</td></tr>
 * <tr><td>STANDBY</td><td>work of a fenced term has ended that is still the log's</td><td>STANDBY</td><td>append
 * Resign</td></tr> <tr><td>CLAIMED</td><td>others' bounds have passed and its token was read back on a majority of the
 * logs, and it may lead</td><td>LEADING</td><td>Acquired; append Heartbeat</td></tr> <tr><td>CLAIMED</td><td>it may not
 * lead</td><td>STANDBY</td><td>append Resign</td></tr> <tr><td>CLAIMED</td><td>another leads or comes first, or it
 * reaches no majority</td><td>STANDBY</td><td>append Resign</td></tr> <tr><td>CLAIMED</td><td>on all logs: a later
 * claim read, lease over, log lost</td><td>STANDBY</td><td></td></tr> <tr><td>LEADING</td><td>not eligible; or the
 * owner has bid</td><td>DRAINING</td><td>Revoked</td></tr> <tr><td>LEADING, DRAINING</td><td>majority lost: a later
 * claim read</td><td>STANDBY</td><td>Fenced (superseded)</td></tr> <tr><td>LEADING, DRAINING</td><td>majority lost:
 * lease over</td><td>STANDBY</td><td>Fenced (lease expired)</td></tr> <tr><td>LEADING, DRAINING</td><td>majority lost:
 * log lost</td><td>STANDBY</td><td>Fenced (log gap)</td></tr> <tr><td>any</td><td>a record in its name read that it has
 * not sent</td><td>STANDBY</td><td>Fenced (superseded); Renew</td></tr> <tr><td>DRAINING</td><td>work has
 * ended</td><td>STANDBY</td><td>append Resign</td></tr> <tr><td>DRAINING</td><td>handover
 * timeout</td><td>STANDBY</td><td>Fenced (handover timed out)</td></tr> <tr><td>CLAIMED, LEADING,
 * DRAINING</td><td>heartbeat due, or a foreign bid read</td><td>the same</td><td>append Heartbeat</td></tr> </table>
 *
 * <p>A member <em>may lead</em> if it is eligible, the work of its last fenced term has ended, and no other member
 * leads with another configuration or by the rules of a newer version.
 *
 * <table> <caption>What differs in non-exclusive mode</caption>
 * <tr><th>from</th><th>on</th><th>to</th><th>actions</th></tr> <tr><td>STANDBY</td><td>owner by an assignment based on
 * the current term; own bid read</td><td>STANDBY</td><td>append Claim</td></tr> <tr><td>CLAIMED</td><td>it may
 * lead</td><td>LEADING</td><td>Acquired; append Heartbeat</td></tr> <tr><td>LEADING</td><td>a later claim
 * read</td><td>LEADING</td><td>no more heartbeats</td></tr> <tr><td>LEADING, superseded or resigned</td><td>lease
 * over</td><td>DRAINING</td><td>Revoked</td></tr> <tr><td>LEADING</td><td>not eligible</td><td>LEADING</td><td>append
 * Resign; no more heartbeats</td></tr> <tr><td>LEADING, and resigned</td><td>the next one reports that it leads; or no
 * other is eligible</td><td>DRAINING</td> <td>Revoked</td></tr> <tr><td>DRAINING</td><td>work has
 * ended</td><td>STANDBY</td><td></td></tr> </table>
 */
public final class PartitionElection {

    private final MemberId self;
    private final ElectionSettings settings;
    private final PartitionConfig config;
    private final int number;

    public PartitionElection(MemberId self, ElectionSettings settings, int number) {
        this.self = self;
        this.settings = settings;
        this.config = settings.groupConfig().of(number);
        this.number = number;
    }

    /**
     * The result of one input.
     *
     * @param state the new state
     * @param actions what to do, in this order
     */
    public record Step(PartitionState state, List<PartitionAction> actions) {}

    /**
     * Applies one input. {@code now} must not be earlier than that of any previous step.
     *
     * @param log the log that it is about; any if it is about the partition itself
     */
    public Step step(PartitionState state, int log, Input input, Moment now) {
        return step(state, Map.of(log, input), now);
    }

    /**
     * Applies what happened at once, and only then acts on it: one log may show that nothing is to be done in another.
     */
    Step step(PartitionState state, Map<Integer, ? extends Input> inputs, Moment now) {
        PartitionContext context = new PartitionContext(self, settings, config, number, state.copy(), now);
        LeaderRules.endLapsedTerm(context);
        inputs.forEach((log, input) -> apply(context, context.logs().get(log), input));
        LogSetRules.count(context);
        context.rejoinIfEligibilityChanged();
        MonotonicTime deadline = act(context);
        MonotonicTime cooldownUntil = context.partition.eligibility.restraint().cooldownUntil();
        if (!context.hasReached(cooldownUntil)) {
            deadline = MonotonicTime.earlier(deadline, cooldownUntil);
        }
        context.partition.deadline = deadline;
        return new Step(context.partition, context.actions());
    }

    /** The most serious one in any log. */
    Conflict conflict(PartitionState state, Moment now) {
        Conflict found = Conflict.NONE;
        for (LogState log : state.logs()) {
            found = found.orWorse(log.view.conflict(self, config, now.time()));
        }
        return found;
    }

    private static void apply(PartitionContext context, LogState log, Input input) {
        if (input instanceof Input.RecordsRead records) {
            LogRules.records(context, log, records);
        } else if (input instanceof Input.LogOpened opened) {
            LogRules.opened(context, log, opened);
            context.skipUnreadLeases();
        } else if (input instanceof Input.LogLost) {
            LogRules.lost(context, log);
        } else if (input instanceof Input.Renewed) {
            context.logs().forEach(each -> LogRules.renewed(context, each));
            context.partition.ownership = Ownership.NONE;
        } else if (input instanceof Input.Assigned assigned) {
            LeaderRules.assigned(context, assigned);
        } else if (input instanceof Input.EligibilityChanged changed) {
            eligibilityChanged(context, changed.eligibility());
        } else if (input instanceof Input.Drained drained) {
            LeaderRules.drained(context, drained);
        } else if (input instanceof Input.LeaseLapsed lapsed) {
            LeaderRules.lapsed(context, lapsed);
        }
    }

    private static void eligibilityChanged(PartitionContext context, Eligibility next) {
        boolean wasCandidate = context.partition.eligibility.candidate();
        context.partition.eligibility = next;
        if (!wasCandidate) {
            context.logs().forEach(log -> LogRules.greet(context, log));
        }
    }

    private MonotonicTime act(PartitionContext context) {
        MonotonicTime deadline = LeaderRules.act(context);
        deadline = MonotonicTime.earlier(deadline, Consolidation.act(context));
        for (LogState log : context.logs()) {
            if (log.isOpen() && !log.isClaimed()) {
                deadline = MonotonicTime.earlier(deadline, StandbyRules.act(context, log));
            }
        }
        for (LogState log : context.logs()) { // a claim may have a new token, which the heartbeats are to carry
            deadline = MonotonicTime.earlier(deadline, heartbeat(context, log));
        }
        TokenRules.endIfOver(context);
        return deadline;
    }

    private MonotonicTime heartbeat(PartitionContext context, LogState log) {
        MonotonicTime time = context.now.time();
        MonotonicTime deadline = log.isClaimed() ? HolderRules.heartbeat(context, log) : MonotonicTime.NEVER;
        return log.view.conflict(self, config, time) == Conflict.NONE
                ? deadline
                : MonotonicTime.earlier(deadline, log.view.conflictUntil(time));
    }
}
