package io.neli.sample.lab;

import java.util.concurrent.TimeUnit;

/** The one clock of all figures: monotonic, in milliseconds since the lab began. */
final class LabClock {

    private final long begin = System.nanoTime();

    long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
}
