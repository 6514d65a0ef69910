package io.neli.sample.lab.history;

import java.util.List;

import io.neli.NeliSnapshot;
import io.neli.sample.instance.report.Report;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.Observation.Reported;

/** What the instances report, as the lab observes it. */
public final class Observations {

    private Observations() {}

    public static Observation eligible(long at, String instance, boolean eligible) {
        return new Reported(
                at,
                instance,
                new Report.Snapshot(null, eligible, NeliSnapshot.Partition.State.STANDBY, null, 0, List.of()));
    }

    public static Observation acquired(long at, String instance, long token) {
        return new Reported(at, instance, new Report.Event(Kind.ACQUIRED, token, null));
    }

    public static Observation revoked(long at, String instance, long token, String reason) {
        return new Reported(at, instance, new Report.Event(Kind.REVOKED, token, reason));
    }

    public static Observation fenced(long at, String instance, long token, String reason) {
        return new Reported(at, instance, new Report.Event(Kind.FENCED, token, reason));
    }

    public static Observation written(
            long at, String instance, long token, long number, Outcome outcome, String reason) {
        return new Reported(at, instance, new Report.Write(outcome, token, number, reason));
    }

    public static Observation begun(long at, String instance, long token, long due) {
        return new Reported(at, instance, new Report.Run(false, token, due));
    }

    public static Observation ended(long at, String instance, long token, long due) {
        return new Reported(at, instance, new Report.Run(true, token, due));
    }

    public static Observation waiting(long at, String instance, long token, long time, Long recorded) {
        return new Reported(at, instance, new Report.Waiting(token, time, recorded));
    }
}
