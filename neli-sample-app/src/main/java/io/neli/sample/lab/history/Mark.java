package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * One moment on the timeline.
 *
 * @param instance whom it happened to, null for the broker
 * @param role the role that it is about, if it is about one
 */
public record Mark(long at, @Nullable String instance, MarkKind kind, @Nullable String role, String text) {}
