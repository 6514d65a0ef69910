package io.neli.sample.lab.history;

/** Why the leader has changed. */
public enum Cause {
    KILL,
    FREEZE,
    CUT,
    STOP,
    RESIGN,
    /** The group gave the role to another member, to spread the roles evenly. */
    BALANCE,
    /** The broker was away. */
    BROKER,
    OTHER;

    /** Whether the time that it takes says something about the election. */
    boolean isMeasured() {
        return this != BROKER && this != OTHER;
    }

    /** What a leader that hands over gives as its reason. */
    static Cause ofRevocation(String reason) {
        return switch (reason) {
            case "CLOSING" -> STOP;
            case "RESIGNED" -> RESIGN;
            case "HANDOVER" -> BALANCE;
            default -> OTHER;
        };
    }
}
