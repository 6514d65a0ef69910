package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/** Something that the lab has done or noticed, and when. */
public sealed interface Observation {

    /** In milliseconds on the lab's clock; for something that is done, the moment before. */
    long at();

    /**
     * Something was done to an instance, or to the broker.
     *
     * @param instance null for the broker
     * @param kind KILL to BROKER_START
     */
    record Done(long at, @Nullable String instance, MarkKind kind) implements Observation {}

    /** The broker answers. */
    record BrokerUp(long at) implements Observation {}

    /** An instance leads a role. */
    record Acquired(long at, String instance, String role, long token) implements Observation {}

    /** An instance begins to hand a role over. */
    record Revoked(long at, String instance, String role, long token, String reason) implements Observation {}

    /** An instance leads a role no longer. */
    record Fenced(long at, String instance, String role, long token, String reason) implements Observation {}

    /** An instance tells whether it stands: whether it would lead. */
    record Stands(long at, String instance, boolean standing) implements Observation {}

    /** The broker refused what an instance wrote. */
    record Refused(long at, String instance, String role, long token, long number) implements Observation {}

    /**
     * A process has ended.
     *
     * @param instance null for the broker
     */
    record Exited(long at, @Nullable String instance, int code) implements Observation {}
}
