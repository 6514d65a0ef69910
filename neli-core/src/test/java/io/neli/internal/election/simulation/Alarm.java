package io.neli.internal.election.simulation;

/** Wakes one member at the earliest instant requested, like a poll with a timeout. */
final class Alarm {

    private final Timeline timeline;
    private final Runnable wake;
    private long earliest = Long.MAX_VALUE;

    Alarm(Timeline timeline, Runnable wake) {
        this.timeline = timeline;
        this.wake = wake;
    }

    void by(long instant) {
        if (instant >= earliest && earliest > timeline.now()) {
            return;
        }
        earliest = Math.max(instant, timeline.now());
        long planned = earliest;
        timeline.at(planned, () -> {
            if (earliest == planned) {
                earliest = Long.MAX_VALUE;
                wake.run();
            }
        });
    }

    void off() {
        earliest = Long.MAX_VALUE;
    }
}
