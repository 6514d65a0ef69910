package io.neli;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the application wants of its membership, checked.
 *
 * @param roles where each role is led
 * @param listeners who hears of events
 * @param interruptOnFence whether a fence interrupts work
 * @param workLimit how long a piece of work may run before the member resigns; null for as long as it likes
 * @param failFast how long a start waits for the election to run; null for not at all
 * @param metrics who hears of what can be measured
 */
record ApplicationSettings(
        Roles roles,
        List<LeaderListener> listeners,
        boolean interruptOnFence,
        @Nullable Duration workLimit,
        @Nullable Duration failFast,
        GuardedMetrics metrics) {

    ApplicationSettings {
        listeners = List.copyOf(listeners);
    }
}
