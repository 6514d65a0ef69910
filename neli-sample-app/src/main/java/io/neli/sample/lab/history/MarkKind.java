package io.neli.sample.lab.history;

/** What a mark on the timeline tells of: what was done to a process, or what one has told. */
public enum MarkKind {
    KILL("SIGKILL"),
    FREEZE("SIGSTOP"),
    THAW("SIGCONT"),
    CUT("cut from the broker"),
    HEAL("reaches the broker again"),
    STOP("asked to stop"),
    START("started"),
    RESIGN("asked to resign"),
    BROKER_STOP("the broker is stopped"),
    BROKER_START("the broker is started"),
    BROKER_UP("the broker is up"),
    ACQUIRED("leads"),
    REVOKED("hands over"),
    FENCED("fenced"),
    REFUSED("a write is refused"),
    EXITED("the process has ended");

    private final String text;

    MarkKind(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
