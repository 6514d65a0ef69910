package io.neli.sample.instance.report;

import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.LeaderFenced;
import io.neli.LeaderListener;
import io.neli.LeaderRevoked;
import io.neli.sample.instance.report.Report.Kind;
import org.springframework.core.PriorityOrdered;

/**
 * Reports the events of the instance's leadership. It is notified before any other listener, also before the ledger's template,
 * which then prepares its transactions: what the lab measures is the election.
 */
final class LeadershipReports implements LeaderListener, PriorityOrdered {

    private final Consumer<Report> reports;

    LeadershipReports(Consumer<Report> reports) {
        this.reports = reports;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        if (event.role().equals(Report.ROLE)) {
            reports.accept(report(event));
        }
    }

    private static Report report(LeaderEvent event) {
        if (event instanceof LeaderRevoked revoked) {
            return new Report.Event(
                    Kind.REVOKED, event.token(), revoked.reason().name());
        }
        if (event instanceof LeaderFenced fenced) {
            return new Report.Event(Kind.FENCED, event.token(), fenced.reason().name());
        }
        return new Report.Event(Kind.ACQUIRED, event.token(), null);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
