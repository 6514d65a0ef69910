package io.neli.sample.instance.report;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import org.springframework.context.event.EventListener;

/** Reports what the instance hears of its leadership. */
final class LeadershipReports {

    private final ReportWriter writer;

    LeadershipReports(ReportWriter writer) {
        this.writer = writer;
    }

    @EventListener
    void on(LeaderAcquiredEvent event) {
        writer.report(new Report.Event("ACQUIRED", event.role(), event.token(), null));
    }

    @EventListener
    void on(LeaderRevokedEvent event) {
        writer.report(new Report.Event(
                "REVOKED", event.role(), event.token(), event.reason().name()));
    }

    @EventListener
    void on(LeaderFencedEvent event) {
        writer.report(new Report.Event(
                "FENCED", event.role(), event.token(), event.reason().name()));
    }
}
