package io.neli.sample.lab.history;

/** Why the leader has changed. */
public enum Cause {
    KILL("killed"),
    FREEZE("frozen"),
    CUT("cut off"),
    STOP("stopped"),
    RESIGN("resigned"),
    /** The consumer group assigned the partition to another member. */
    BALANCE("rebalanced"),
    BROKER("broker down"),
    OTHER("other");

    private final String text;

    Cause(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Whether the duration of such a change measures the election. */
    public boolean isMeasured() {
        return this != BROKER && this != OTHER;
    }

    /** The cause of a handover, from the reason that the leader reports. */
    static Cause ofRevocation(String reason) {
        return switch (reason) {
            case "CLOSING" -> STOP;
            case "RESIGNED" -> RESIGN;
            case "HANDOVER" -> BALANCE;
            default -> OTHER;
        };
    }
}
