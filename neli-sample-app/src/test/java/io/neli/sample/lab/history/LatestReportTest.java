package io.neli.sample.lab.history;

import java.util.List;

import io.neli.NeliSnapshot;
import io.neli.sample.instance.report.Report.Event;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.sample.instance.report.Report.Snapshot;
import io.neli.sample.lab.history.LatestReport.Leadership;
import io.neli.sample.lab.history.LatestReport.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatestReportTest {

    private final LatestReport latest = new LatestReport();

    @Test
    void without_a_report_there_is_no_leadership() {
        assertThat(latest.leadership(0)).isEqualTo(new Leadership(State.NONE, null, null));
    }

    @Test
    void a_leader_has_a_token_and_a_lease_and_a_standby_neither() {
        report(1000, State.LEADING);

        assertThat(latest.leadership(1000)).isEqualTo(new Leadership(State.LEADING, 17L, 2400L));

        report(2000, State.STANDBY);

        assertThat(latest.leadership(2000)).isEqualTo(new Leadership(State.STANDBY, null, null));
    }

    @Test
    void a_claim_has_a_token_and_no_lease() {
        report(1000, State.CLAIMED);

        assertThat(latest.leadership(1000)).isEqualTo(new Leadership(State.CLAIMED, 17L, null));
    }

    @Test
    void the_lease_of_a_process_that_reports_nothing_more_runs_out() {
        report(1000, State.LEADING);

        assertThat(latest.leadership(2400).leaseLeft()).isEqualTo(1000);
        assertThat(latest.leadership(9000)).isEqualTo(new Leadership(State.LEADING, 17L, 0L));
    }

    @Test
    void a_fence_is_shown_for_five_seconds() {
        report(1000, State.LEADING);
        latest.reported(new Event(Kind.FENCED, 17, "LEASE_EXPIRED"), 1050);

        assertThat(latest.leadership(1060)).isEqualTo(new Leadership(State.FENCED, 17L, null));

        report(1100, State.STANDBY);

        assertThat(latest.leadership(6049).state()).isEqualTo(State.FENCED);
        assertThat(latest.leadership(6050).state()).isEqualTo(State.STANDBY);
    }

    @Test
    void a_fence_is_no_longer_shown_when_the_instance_claims_again() {
        latest.reported(new Event(Kind.FENCED, 17, "LEASE_EXPIRED"), 1050);
        report(1100, State.CLAIMED);

        assertThat(latest.leadership(1200).state()).isEqualTo(State.CLAIMED);
    }

    @Test
    void the_end_of_the_process_clears_the_report() {
        report(1000, State.LEADING);
        latest.clear();

        assertThat(latest.leadership(1100)).isEqualTo(new Leadership(State.NONE, null, null));
    }

    private void report(long at, State state) {
        latest.reported(
                new Snapshot(null, true, NeliSnapshot.Partition.State.valueOf(state.name()), 17L, 2400, List.of()), at);
    }
}
