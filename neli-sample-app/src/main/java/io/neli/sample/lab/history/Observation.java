package io.neli.sample.lab.history;

import io.neli.sample.instance.report.Report;

/** Something that the lab has done or noticed, and when. */
public sealed interface Observation {

    /** Milliseconds on the lab's clock; for an action, the moment before it. */
    long at();

    /** The name of a broker or an instance. */
    String process();

    /**
     * An action on a process, or the news that a broker is up.
     *
     * @param kind KILL to UP
     */
    record Occurred(long at, String process, MarkKind kind) implements Observation {}

    /** An instance has reported something. */
    record Reported(long at, String process, Report report) implements Observation {}

    /** A process has ended. */
    record Exited(long at, String process, int code) implements Observation {}
}
