package io.neli.internal.kafka;

import java.time.Duration;

import io.neli.internal.election.Moment;
import io.neli.internal.shell.MemberClock;

/** The clocks of this machine, of which a test can set the monotonic one forward. */
final class TestClock implements MemberClock {

    private final MemberClock system = MemberClock.system();
    private Duration skipped = Duration.ZERO;

    synchronized void skip(Duration time) {
        skipped = skipped.plus(time);
    }

    @Override
    public synchronized Moment now() {
        Moment now = system.now();
        return new Moment(now.time().plus(skipped), now.wallMillis());
    }
}
