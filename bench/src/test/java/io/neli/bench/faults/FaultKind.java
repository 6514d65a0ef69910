package io.neli.bench.faults;

import java.util.List;

/** The kinds of faults, and whom they can hit. */
public enum FaultKind {
    /** One broker after another is restarted by SIGTERM. */
    BROKERS_ROLLED(Target.NONE),
    /** One member after another is restarted by SIGTERM, with another lease. */
    MEMBERS_ROLLED(Target.NONE),
    /** SIGKILL, then a restart. */
    MEMBER_KILLED(Target.MEMBERS),
    /** SIGTERM, then a restart. */
    MEMBER_TERMINATED(Target.MEMBERS),
    /** SIGSTOP, then SIGCONT. A leader is stopped while it writes. */
    MEMBER_FROZEN(Target.MEMBERS),
    BROKER_KILLED(Target.BROKERS),
    /** SIGTERM, then a restart, after a SIGKILL if the broker has not ended by then. */
    BROKER_TERMINATED(Target.BROKERS),
    BROKER_FROZEN(Target.BROKERS),
    /** Connections of all members to the broker are refused. */
    BROKER_CUT_OFF(Target.BROKERS),
    /** The member's consumer group requests fail, whichever broker is the coordinator. */
    CUT_FROM_COORDINATOR(Target.MEMBERS),
    /** The member's connections to the broker that leads the partition are refused. */
    CUT_FROM_BROKER(Target.MEMBERS),
    CUT_FROM_ALL(Target.MEMBERS),
    /** The member's connections to the broker that leads the partition stay open, but nothing arrives. */
    SILENT_BROKER(Target.MEMBERS),
    SILENT_ALL(Target.MEMBERS),
    /** What the member sends is lost; what brokers send arrives. */
    ONE_WAY_FROM_BROKERS(Target.MEMBERS),
    /** What brokers send is lost; what the member sends arrives. */
    ONE_WAY_TO_BROKERS(Target.MEMBERS),
    /** 200 ms each way. */
    SLOW(Target.MEMBERS),
    /** 2 s each way. */
    VERY_SLOW(Target.MEMBERS),
    /** All connections are reset. */
    RESET(Target.MEMBERS),
    /** The member's wall clock is set forward, and back again. */
    CLOCK_FORWARD(Target.MEMBERS),
    CLOCK_BACK(Target.MEMBERS),
    /** The member is stopped, and all records that it has not read are deleted. */
    RETENTION(Target.MEMBERS),
    /** With a quorum, the topic of one log is deleted. */
    TOPIC_DELETED(Target.NONE),
    DISK_FULL(Target.ONE_BROKER),
    /** Brokers with logs are cut off from the controller and from the other brokers. Members reach them. */
    BROKER_SPLIT_OFF(Target.ONE_OR_TWO_LOGS),
    /** Each broker is cut off from the other brokers, but not from the controller. Members reach all of them. */
    BROKERS_SPLIT(Target.NONE),
    /**
     * Two brokers with logs are cut off in the same way, together with the member, which reaches only them. The others
     * assume that one of the two is lost for good and replace its log.
     */
    LOG_REPLACED(Target.MEMBERS);

    /** Whom a fault hits. */
    public enum Target {
        LEADER,
        STANDBY,
        COORDINATOR,
        /** The broker that leads the partition, or one partition of a quorum. */
        LOG_LEADER,
        CONTROLLER,
        /** Two brokers that each lead a partition of a quorum and are not the controller. */
        TWO_LOGS,
        TWO_BROKERS,
        ALL_BROKERS,
        NOBODY;

        private static final List<Target> MEMBERS = List.of(LEADER, STANDBY);
        private static final List<Target> ONE_BROKER = List.of(COORDINATOR, LOG_LEADER, CONTROLLER);
        private static final List<Target> ONE_OR_TWO_LOGS = List.of(LOG_LEADER, TWO_LOGS);
        private static final List<Target> BROKERS =
                List.of(COORDINATOR, LOG_LEADER, CONTROLLER, TWO_BROKERS, ALL_BROKERS);
        private static final List<Target> NONE = List.of(NOBODY);
    }

    private final List<Target> targets;

    FaultKind(List<Target> targets) {
        this.targets = targets;
    }

    List<Target> targets() {
        return targets;
    }

    boolean isRolling() {
        return this == BROKERS_ROLLED || this == MEMBERS_ROLLED;
    }

    boolean hitsMembers() {
        return targets.equals(Target.MEMBERS);
    }

    boolean needsFirewall() {
        return ordinal() >= BROKER_SPLIT_OFF.ordinal();
    }

    boolean hitsLinksOfMembers() {
        return ordinal() >= CUT_FROM_COORDINATOR.ordinal() && ordinal() <= RESET.ordinal();
    }

    private boolean losesLog() {
        return this == TOPIC_DELETED || this == LOG_REPLACED;
    }

    /** Whether {@code second} may happen during this one. */
    boolean allows(FaultKind second) {
        if (losesLog() && second.losesLog()) {
            return false; // after the loss of two logs, nobody leads until all are deleted
        }
        return switch (this) {
            case BROKERS_ROLLED -> second.hitsMembers();
            case MEMBERS_ROLLED -> second.hitsLinksOfMembers();
            // The end of one split would end the other.
            case BROKER_SPLIT_OFF, BROKERS_SPLIT, LOG_REPLACED -> !second.isRolling() && !second.needsFirewall();
            default -> !second.isRolling();
        };
    }
}
