package io.neli.sample.instance;

import java.time.Instant;

import io.neli.spring.ScheduledRun;
import io.neli.spring.test.NeliTest;
import io.neli.test.FakeNeli;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/** The job on the leader and on a standby, without a broker. */
@SpringJUnitConfig(LedgerJob.class)
@NeliTest(roles = {Ledger.ROLE, "invoices"})
class LedgerJobTest {

    @MockitoBean
    Ledger ledger;

    @Autowired
    LedgerJob job;

    @Autowired
    FakeNeli neli;

    @Test
    void the_leader_writes_with_the_token_of_its_term() {
        job.write();
        long token = neli.leadership(Ledger.ROLE).orElseThrow().token();

        LedgerEntry entry = theEntry();
        assertThat(entry.instance()).isEqualTo(neli.snapshot().name());
        assertThat(entry.token()).isEqualTo(token);
    }

    @Test
    void a_standby_writes_nothing_though_it_leads_another_role() {
        neli.revoke(Ledger.ROLE);

        job.write();

        assertThat(neli.isLeader("invoices")).isTrue();
        verify(ledger, never()).append(any());
    }

    @Test
    void a_later_term_writes_with_a_larger_token() {
        job.write();
        neli.fence();
        job.write(); // skipped on a standby
        neli.acquire();
        job.write();

        ArgumentCaptor<LedgerEntry> entries = ArgumentCaptor.forClass(LedgerEntry.class);
        verify(ledger, times(2)).append(entries.capture());
        LedgerEntry first = entries.getAllValues().get(0);
        LedgerEntry second = entries.getAllValues().get(1);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.number()).isEqualTo(first.number() + 1);
    }

    @Test
    void a_write_that_is_refused_is_not_repeated_and_does_not_end_the_job() {
        doThrow(new ProducerFencedException("another leads")).when(ledger).append(any());

        assertThatCode(job::write).doesNotThrowAnyException();

        verify(ledger).append(any());
    }

    @Test
    void the_next_leader_balances_the_ledger_of_a_time_at_which_nobody_led() {
        Instant due = Instant.parse("2031-03-01T02:00:05Z");
        neli.dueAt(due);
        neli.revoke(Ledger.ROLE);
        neli.dueAt(due.plusSeconds(6));
        neli.acquire();
        neli.dueAt(due.plusSeconds(7));

        ArgumentCaptor<ScheduledRun> runs = ArgumentCaptor.forClass(ScheduledRun.class);
        verify(ledger, times(2)).balance(runs.capture());
        assertThat(runs.getAllValues()).extracting(ScheduledRun::dueAt).containsExactly(due, due.plusSeconds(5));
        assertThat(runs.getAllValues()).extracting(ScheduledRun::repeated).containsOnly(false);
    }

    private LedgerEntry theEntry() {
        ArgumentCaptor<LedgerEntry> entry = ArgumentCaptor.forClass(LedgerEntry.class);
        verify(ledger).append(entry.capture());
        return entry.getValue();
    }
}
