package io.neli.cluster;

import java.time.Duration;
import java.util.Map;

import io.neli.cluster.Line.Kind;

/** One start of a member in its own JVM, whose lines go into a {@link Timeline}. */
public final class MemberProcess {

    private final String name;
    private final String label;
    private final Timeline timeline;
    private final JavaProcess process;
    private boolean stopped;
    private volatile boolean ending;

    private MemberProcess(String name, String label, Timeline timeline, JavaProcess process) {
        this.name = name;
        this.label = label;
        this.timeline = timeline;
        this.process = process;
    }

    /** Begins to read the lines of a process that has just started. */
    public static MemberProcess of(String name, String label, Timeline timeline, JavaProcess process) {
        MemberProcess member = new MemberProcess(name, label, timeline, process);
        member.note(Kind.STARTED, "");
        process.read(member::take);
        return member;
    }

    private void take(String text) {
        try {
            timeline.add(Line.parse(label, text));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            if (!ending) { // otherwise, the end of the process may have cut the line off
                throw e;
            }
        }
    }

    private long note(Kind kind, String what) {
        long now = System.nanoTime();
        timeline.add(new Line(label, now, kind, Map.of("what", what)));
        return now;
    }

    /** The member's name, which its next start shares. */
    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    /** The unique name of this start. */
    public String label() {
        return label;
    }

    /** Whether it runs and was not asked to end. */
    public boolean isAlive() {
        return !ending && process.isAlive();
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Whether its latest answer said that it leads. */
    public boolean leads() {
        return isAlive() && !stopped && isLatestAnswerTrue();
    }

    private boolean isLatestAnswerTrue() {
        return timeline.last(line -> isFrom(line) && (line.kind() == Kind.LEADS || line.kind() == Kind.LEADS_NOT))
                .filter(line -> line.kind() == Kind.LEADS)
                .isPresent();
    }

    public boolean isFrom(Line line) {
        return line.process().equals(label);
    }

    /** A field of its latest snapshot; empty before the first one. */
    public String state(String field) {
        return timeline.last(line -> isFrom(line) && line.kind() == Kind.STATE)
                .map(line -> line.text(field))
                .orElse("");
    }

    /** Writes a line to its standard input: a command of {@link MemberMain}. */
    public void say(String line) {
        process.say(line);
    }

    /** Sends SIGTERM. Returns when it was sent. */
    public long terminate() {
        long at = note(Kind.SIGNALLED, "TERM");
        ending = true;
        process.terminate();
        return at;
    }

    /** Sends SIGKILL. Returns when it was sent. */
    public long kill() {
        long at = note(Kind.SIGNALLED, "KILL");
        ending = true;
        process.destroy();
        return at;
    }

    /** Sends SIGSTOP. Returns when it was sent, after the process is frozen. */
    public long stop() {
        long at = note(Kind.SIGNALLED, "STOP");
        process.stop();
        stopped = true;
        return at;
    }

    /** Sends SIGCONT. Returns when it was sent. */
    public long resume() {
        long at = note(Kind.SIGNALLED, "CONT");
        process.resume();
        stopped = false;
        return at;
    }

    /** Whether it ended without being asked to. */
    public boolean hasDied() {
        return !ending && !process.isAlive();
    }

    /** Waits until the process has ended and all its lines are in the timeline. */
    public void awaitEnd(Duration limit) {
        process.awaitEnd(limit);
        note(Kind.EXITED, "");
    }

    public void destroy() {
        ending = true;
        process.destroy();
    }
}
