package io.neli.internal.election;

import java.util.function.Consumer;

/**
 * The rules for one partition. If it has several logs, what follows about bids, claims, resignations and heartbeats
 * applies to each of them, and a member leads while it holds a majority.
 *
 * <pre>
 * from      on                                                         to        actions
 * STANDBY   partition silent or vacant, and it may lead                STANDBY   append Bid
 * STANDBY   the holder has resigned and invited it                     STANDBY   append Claim
 * STANDBY   own bid first; vacant, or silent for 3/4 of the lease      STANDBY   append Claim
 * STANDBY   own claim read, its lease lasts                            CLAIMED
 * STANDBY   own claim read, and it may not lead                        STANDBY   append Resign
 * STANDBY   work of a fenced term ended; the term is the log's latest  STANDBY   append Resign
 * CLAIMED   others' bounds have passed, its token was read back on     LEADING   Acquired; append Heartbeat
 *           a majority of the logs, and it may lead
 * CLAIMED   it may not lead                                            STANDBY   append Resign
 * CLAIMED   another leads or comes first, or it reaches no majority    STANDBY   append Resign
 * CLAIMED   on all logs: a later claim read, lease over, log lost      STANDBY
 * LEADING   not eligible; or the owner has bid                         DRAINING  Revoked
 * LEADING*  majority lost: a later claim read                          STANDBY   Fenced (superseded)
 * LEADING*  majority lost: lease over                                  STANDBY   Fenced (lease expired)
 * LEADING*  majority lost: log lost                                    STANDBY   Fenced (log gap)
 * any       a record in its name read that it has not sent             STANDBY   Fenced (superseded); Renew
 * DRAINING  work has ended                                             STANDBY   append Resign
 * DRAINING  handover timeout                                           STANDBY   Fenced (handover timed out)
 * CLAIMED*  heartbeat due, or a foreign bid read                       the same  append Heartbeat
 * </pre>
 *
 * <p>* or any later state. A member <em>may lead</em> if it is eligible, the work of its last fenced term has ended,
 * and no other member leads with another configuration or by the rules of a newer version. In non-exclusive mode:
 *
 * <pre>
 * from      on                                                         to        actions
 * STANDBY   owner by an assignment based on the current term;          STANDBY   append Claim
 *           own bid read
 * CLAIMED   it may lead                                                LEADING   Acquired; append Heartbeat
 * LEADING   a later claim read                                         LEADING   no more heartbeats
 * LEADING   superseded or resigned; lease over                         DRAINING  Revoked
 * LEADING   not eligible                                               LEADING   append Resign; no more heartbeats
 * LEADING   resigned; the next one reports that it leads, or no other  DRAINING  Revoked
 *           is eligible
 * DRAINING  work has ended                                             STANDBY
 * </pre>
 */
final class PartitionElection {

    private PartitionElection() {}

    /**
     * Applies what has happened before it acts: one log may show that there is nothing to do in another.
     *
     * @param happened applies what has happened; it does nothing if only time has passed
     */
    static void step(PartitionContext context, Consumer<PartitionContext> happened) {
        LeaderRules.endLapsedTerm(context);
        happened.accept(context);
        LogSetRules.count(context);
        context.rejoinIfEligibilityChanged();
        context.partition.deadline = MonotonicTime.NEVER;
        act(context);
        MonotonicTime cooldownUntil = context.partition.eligibility.restraint().cooldownUntil();
        if (!context.hasReached(cooldownUntil)) {
            context.wakeAt(cooldownUntil);
        }
    }

    private static void act(PartitionContext context) {
        LeaderRules.act(context);
        Consolidation.act(context);
        for (LogState log : context.logs()) {
            if (log.isOpen() && !log.isClaimed()) {
                new StandbyRules(context, log).act();
            }
        }
        for (LogState log : context.logs()) { // after the claims: heartbeats must carry a new token
            if (log.isClaimed()) {
                HolderRules.heartbeat(context, log);
            }
            if (context.hasConflict(log)) {
                context.wakeAt(log.view.conflictUntil(context.now.time()));
            }
        }
        TokenRules.endIfOver(context);
    }
}
