package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * A time in which nobody leads a role.
 *
 * @param to null while it lasts
 */
public record Gap(String role, long from, @Nullable Long to) {}
