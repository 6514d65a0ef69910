package io.neli.sample.instance.report;

import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import org.springframework.core.PriorityOrdered;

/**
 * Reports what the instance hears of its leadership. Hears of it before any other listener, also the ledger's template, which
 * prepares its transactions when it does: what is measured is the election.
 */
final class LeadershipReports implements LeaderListener, PriorityOrdered {

    private final Consumer<Report> reports;

    LeadershipReports(Consumer<Report> reports) {
        this.reports = reports;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        reports.accept(report(event));
    }

    private static Report report(LeaderEvent event) {
        if (event instanceof LeaderAcquired) {
            return new Report.Event("ACQUIRED", event.role(), event.token(), null);
        }
        if (event instanceof LeaderRevoked revoked) {
            return new Report.Event(
                    "REVOKED", event.role(), event.token(), revoked.reason().name());
        }
        LeaderFenced fenced = (LeaderFenced) event;
        return new Report.Event(
                "FENCED", event.role(), event.token(), fenced.reason().name());
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
