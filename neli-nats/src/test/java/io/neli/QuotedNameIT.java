package io.neli;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static io.neli.TestMember.QUICK;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class QuotedNameIT {

    /** Each of these has a connection of its own. */
    @Test
    void a_member_whose_name_has_quotes_and_backslashes_leads_and_runs_jobs_and_reads_who_led() throws Exception {
        String name = "DOMAIN\\host \"1\"";
        try (TestMember member = TestMember.startLeader(TestServers.unusedName("quoted"), name, QUICK)) {
            AtomicBoolean ran = new AtomicBoolean();
            Job.Schedule daily = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);
            member.neli.schedule(new Job(
                    "close books",
                    Neli.DEFAULT_ROLE,
                    daily,
                    Job.Guarantee.AT_LEAST_ONCE,
                    Runnable::run,
                    run -> ran.set(true)));
            eventually().untilTrue(ran);
            assertThat(member.neli.history(Neli.DEFAULT_ROLE, Duration.ofHours(1)))
                    .isNotEmpty()
                    .allSatisfy(term -> assertThat(term.member()).isEqualTo(name));
        }
    }
}
