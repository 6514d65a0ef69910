package io.neli.sample.lab.history;

/** What a mark on the timeline means: an action on a process, or something that a process reported. */
public enum MarkKind {
    KILL("killed (SIGKILL)"),
    FREEZE("frozen (SIGSTOP)"),
    THAW("thawed (SIGCONT)"),
    CUT("cut off from Kafka"),
    HEAL("connected to Kafka again"),
    STOP("asked to stop (SIGTERM)"),
    START("started"),
    RESIGN("asked to resign"),
    UP("up"),
    ACQUIRED("leads"),
    REVOKED("hands over"),
    FENCED("fenced"),
    REFUSED("write refused"),
    EXITED("ended");

    private final String text;

    MarkKind(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
