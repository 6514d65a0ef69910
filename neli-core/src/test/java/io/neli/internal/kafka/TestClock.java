package io.neli.internal.kafka;

import java.time.Duration;

import io.neli.internal.election.Moment;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.Nullable;

/** The clocks of this machine, which a test can set and slow down. */
final class TestClock implements MemberClock {

    private static final int SLOWNESS = 10;

    private final MemberClock system = MemberClock.system();
    private Duration skipped = Duration.ZERO;
    private Duration wallOffset = Duration.ZERO;
    private @Nullable Moment slowSince;

    synchronized void setWallClock(Duration offset) {
        wallOffset = offset;
    }

    /** Sets the monotonic clock forward. */
    synchronized void skip(Duration time) {
        skipped = skipped.plus(time);
    }

    /** From now on, what this machine does takes a tenth of the time. */
    synchronized void slowDown() {
        slowSince = system.now();
    }

    @Override
    public synchronized Moment now() {
        Moment now = system.now();
        Moment shown = slowSince == null ? now : slowed(now, slowSince);
        return new Moment(shown.time().plus(skipped), shown.wallMillis() + wallOffset.toMillis());
    }

    private static Moment slowed(Moment now, Moment since) {
        return new Moment(
                since.time().plus(since.time().until(now.time()).dividedBy(SLOWNESS)),
                since.wallMillis() + (now.wallMillis() - since.wallMillis()) / SLOWNESS);
    }
}
