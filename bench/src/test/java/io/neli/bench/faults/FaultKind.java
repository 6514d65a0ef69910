package io.neli.bench.faults;

import java.util.List;

/** What can happen, and to whom. */
public enum FaultKind {
    /** One broker after another is restarted by SIGTERM. */
    BROKERS_ROLLED(Target.NONE),
    /** One member after another is restarted by SIGTERM, with another lease. */
    MEMBERS_ROLLED(Target.NONE),
    /** SIGKILL, and a start afterwards. */
    MEMBER_KILLED(Target.MEMBERS),
    /** SIGTERM, and a start afterwards. */
    MEMBER_TERMINATED(Target.MEMBERS),
    /** SIGSTOP, SIGCONT. A leader is stopped with a write under way. */
    MEMBER_FROZEN(Target.MEMBERS),
    BROKER_KILLED(Target.BROKERS),
    /** SIGTERM; SIGKILL if it has not ended when it is to be started again. */
    BROKER_TERMINATED(Target.BROKERS),
    BROKER_FROZEN(Target.BROKERS),
    /** Connections of all members to that broker are refused. */
    BROKER_CUT_OFF(Target.BROKERS),
    /** The member's requests of its consumer group fail, on whatever broker the coordinator is. */
    CUT_FROM_COORDINATOR(Target.MEMBERS),
    /** From the broker that leads the partition: connections are refused. */
    CUT_FROM_BROKER(Target.MEMBERS),
    CUT_FROM_ALL(Target.MEMBERS),
    /** Connections to the broker that leads the partition stay, and nothing arrives. */
    SILENT_BROKER(Target.MEMBERS),
    SILENT_ALL(Target.MEMBERS),
    /** What the member sends does not arrive; what brokers send does. */
    ONE_WAY_FROM_BROKERS(Target.MEMBERS),
    /** What brokers send does not arrive; what the member sends does. */
    ONE_WAY_TO_BROKERS(Target.MEMBERS),
    /** 200 ms each way. */
    SLOW(Target.MEMBERS),
    /** 2 s each way. */
    VERY_SLOW(Target.MEMBERS),
    /** TCP resets of all connections. */
    RESET(Target.MEMBERS),
    /** The member's wall clock is set forward, and back again. */
    CLOCK_FORWARD(Target.MEMBERS),
    CLOCK_BACK(Target.MEMBERS),
    /** The member is stopped, and all records are deleted that it has not read. */
    RETENTION(Target.MEMBERS),
    /** With a quorum, that of one log. */
    TOPIC_DELETED(Target.NONE),
    DISK_FULL(Target.ONE_BROKER),
    /** Brokers with logs are cut off from the controller and from the other brokers. Members reach them. */
    BROKER_SPLIT_OFF(Target.ONE_OR_TWO_LOGS),
    /** Each broker is cut off from the others, not from the controller. Members reach all. */
    BROKERS_SPLIT(Target.NONE),
    /**
     * Two brokers with logs are cut off like that together with the member, which reaches only them. The others think
     * that one of the two has gone for good and replace its log.
     */
    LOG_REPLACED(Target.MEMBERS);

    /** Who is hit. */
    public enum Target {
        LEADER,
        STANDBY,
        COORDINATOR,
        /** The broker that leads the partition; with a quorum, that leads one of them. */
        LOG_LEADER,
        CONTROLLER,
        /** Brokers that lead one of a quorum's partitions and are not the controller. */
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

    /** Whether the other may happen while this one goes on. */
    boolean allows(FaultKind second) {
        if (losesLog() && second.losesLog()) {
            return false; // where two logs are lost, nobody leads until all are deleted
        }
        return switch (this) {
            case BROKERS_ROLLED -> second.hitsMembers();
            case MEMBERS_ROLLED -> second.hitsLinksOfMembers();
            // The end of the one split would end the other.
            case BROKER_SPLIT_OFF, BROKERS_SPLIT, LOG_REPLACED -> !second.isRolling() && !second.needsFirewall();
            default -> !second.isRolling();
        };
    }
}
