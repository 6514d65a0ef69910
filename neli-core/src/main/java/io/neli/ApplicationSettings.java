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
 * @param metrics who hears of what can be measured
 */
record ApplicationSettings(
        Roles roles,
        List<LeaderListener> listeners,
        boolean interruptOnFence,
        @Nullable Duration workLimit,
        GuardedMetrics metrics) {

    ApplicationSettings {
        listeners = List.copyOf(listeners);
    }
}
