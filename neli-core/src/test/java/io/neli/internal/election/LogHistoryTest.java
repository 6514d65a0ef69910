package io.neli.internal.election;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.neli.LeaderTerm.End;
import io.neli.internal.election.LogRecord.Grant;
import io.neli.internal.election.LogRecord.Sender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.PastTerm.BEFORE;
import static io.neli.internal.election.PastTerm.NOT_YET;
import static org.assertj.core.api.Assertions.assertThat;

/** Derives from recorded logs who led. Leases last for a second; times are milliseconds. */
class LogHistoryTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Map<String, String> METADATA = Map.of("url", "http://here");

    private final Log log = new Log(0);

    /** A log, and the history read from it. */
    private static final class Log {

        private final LogHistory history;
        private long end;
        private long term = Term.NONE;

        Log(long start) {
            history = new LogHistory(start);
            end = start;
        }

        private Log stores(long millis, Decoded record) {
            history.read(end++, record, millis);
            return this;
        }

        private static Sender sender(MemberId member, long token) {
            return new Sender(member, token, LEASE);
        }

        private static Grant grant() {
            return new Grant(1, LEASE, new PartitionConfig("exclusive", "default"), METADATA);
        }

        Log claim(long millis, MemberId member, long token) {
            term = end;
            return stores(millis, new LogRecord.Claim(sender(member, token), grant()));
        }

        Log heartbeat(long millis, MemberId member, long token, boolean leading) {
            return stores(millis, new LogRecord.Heartbeat(sender(member, token), grant(), term, leading, 0, null));
        }

        Log leads(long millis, MemberId member, long token) {
            return heartbeat(millis, member, token, true);
        }

        Log resigns(long millis, MemberId member) {
            return stores(millis, new LogRecord.Resign(sender(member, 1), term, null));
        }
    }

    private static PastTerm term(long token, MemberId member, long acquired, long ended, @Nullable End end) {
        return new PastTerm(token, member, METADATA, acquired, ended, end);
    }

    private static List<PastTerm> terms(long readAt, int needed, Log... logs) {
        return PartitionHistory.of(Stream.of(logs).map(log -> log.history).toList(), needed, readAt);
    }

    private List<PastTerm> terms(long readAt) {
        return terms(readAt, 1, log);
    }

    @Test
    void a_leader_that_is_silent_until_another_claims_was_last_seen_with_its_last_heartbeat() {
        log.claim(100, ME, 7).leads(110, ME, 7).leads(600, ME, 7);
        log.claim(1_400, OTHER, 8).heartbeat(1_500, OTHER, 8, false).leads(1_610, OTHER, 8);

        assertThat(terms(1_700))
                .containsExactly(term(7, ME, 110, 600, End.SILENT), term(8, OTHER, 1_610, NOT_YET, null));
    }

    @Test
    void a_leader_that_nobody_has_followed_leads_until_its_lease_is_over_and_was_fenced_if_it_resigns_later() {
        log.claim(100, ME, 7).leads(110, ME, 7).leads(600, ME, 7);

        assertThat(terms(1_609)).containsExactly(term(7, ME, 110, NOT_YET, null));
        assertThat(terms(1_610)).containsExactly(term(7, ME, 110, 600, End.SILENT));

        log.resigns(1_611, ME);
        assertThat(terms(1_700)).containsExactly(term(7, ME, 110, 600, End.RESIGNED_AFTER_FENCE));
    }

    @Test
    void what_was_on_its_way_when_the_log_stalled_does_not_prolong_a_term() {
        log.claim(100, ME, 7).leads(110, ME, 7).leads(600, ME, 7);
        log.leads(1_800, ME, 7).leads(1_805, ME, 7).resigns(1_820, ME);

        assertThat(terms(1_900)).containsExactly(term(7, ME, 110, 600, End.RESIGNED_AFTER_FENCE));
    }

    @Test
    void a_term_whose_first_heartbeat_was_on_its_way_then_was_fenced() {
        log.claim(100, ME, 7).leads(1_800, ME, 7).resigns(1_820, ME);

        assertThat(terms(1_900)).containsExactly(term(7, ME, 1_800, 1_800, End.RESIGNED_AFTER_FENCE));
    }

    @Test
    void a_step_of_the_brokers_clock_ends_no_term() {
        log.claim(100, ME, 7).leads(110, ME, 7);
        for (long millis = 5_000; millis < 8_000; millis += 500) {
            log.leads(millis, ME, 7);
        }
        log.leads(3_000, ME, 7).resigns(8_100, ME);

        assertThat(terms(8_200)).containsExactly(term(7, ME, 110, 8_100, End.HANDED_OVER));
    }

    @Test
    void one_that_claims_and_resigns_without_having_led_ends_the_term_before_and_hands_nothing_over() {
        log.claim(100, ME, 7).leads(110, ME, 7).leads(600, ME, 7);
        log.claim(1_400, OTHER, 8).resigns(1_450, OTHER);

        assertThat(terms(1_500)).containsExactly(term(7, ME, 110, 600, End.SILENT));
    }

    @Test
    void it_is_not_known_since_when_a_leader_led_whose_first_heartbeats_were_not_read() {
        Log young = new Log(50);
        young.term = 20;
        young.leads(5_000, ME, 7).resigns(5_400, ME);

        assertThat(terms(6_000, 1, young)).containsExactly(term(7, ME, BEFORE, 5_400, End.HANDED_OVER));
    }

    @Test
    void a_member_that_leads_again_in_the_same_claim_has_another_token() {
        log.claim(100, ME, 7).leads(110, ME, 7).leads(600, ME, 7);
        log.heartbeat(1_800, ME, 9, false).leads(1_900, ME, 9);

        assertThat(terms(2_000)).containsExactly(term(7, ME, 110, 600, End.SILENT), term(9, ME, 1_900, NOT_YET, null));
    }

    @Test
    void forged_late_and_undecodable_records_change_nothing() {
        log.claim(100, ME, 7).leads(110, ME, 7);
        log.leads(200, OTHER, 8); // in another member's term
        log.resigns(210, THIRD);
        log.stores(220, new Decoded.Unreadable(false));
        log.stores(230, new Decoded.Newer(LEASE, 100));
        log.stores(240, new LogRecord.Bid(Log.sender(OTHER, 7), log.term));
        log.stores(250, new LogRecord.Hello(Log.sender(OTHER, 7)));
        log.term = 1_000; // a term that does not exist yet
        log.leads(300, OTHER, 9);
        log.term = 0;
        log.leads(600, ME, 7).resigns(700, ME).leads(710, ME, 7); // after its resignation

        assertThat(terms(800)).containsExactly(term(7, ME, 110, 700, End.HANDED_OVER));
    }

    @Test
    void with_a_quorum_a_member_leads_while_a_majority_says_so() {
        Log second = new Log(40);
        Log third = new Log(9);
        log.claim(100, ME, 7).leads(130, ME, 7).leads(600, ME, 7).resigns(900, ME);
        second.claim(101, ME, 7).leads(131, ME, 7).leads(601, ME, 7).resigns(910, ME);
        third.claim(99, OTHER, 6).heartbeat(140, OTHER, 6, false).resigns(150, OTHER);
        third.claim(160, ME, 7).leads(170, ME, 7).leads(602, ME, 7).resigns(905, ME);
        log.claim(920, OTHER, 8).leads(950, OTHER, 8);
        second.claim(925, OTHER, 8).leads(951, OTHER, 8);

        assertThat(terms(1_000, 2, log, second, third))
                .containsExactly(term(7, ME, 131, 905, End.HANDED_OVER), term(8, OTHER, 951, NOT_YET, null));
    }

    @Test
    void with_a_quorum_one_log_says_nothing_and_one_that_is_lost_ends_nothing() {
        Log second = new Log(0);
        Log third = new Log(0);
        log.claim(100, ME, 7).leads(130, ME, 7).leads(3_000, ME, 7); // the log was lost in between
        second.claim(101, ME, 7).leads(131, ME, 7);
        for (long millis = 600; millis <= 3_000; millis += 500) {
            second.leads(millis, ME, 7);
        }
        third.claim(102, OTHER, 9).leads(1_000, OTHER, 9);

        assertThat(terms(3_100, 2, log, second, third)).containsExactly(term(7, ME, 131, NOT_YET, null));
    }

    @Test
    void by_brokers_whose_clocks_differ_a_short_term_has_no_length_and_no_negative_one() {
        Log later = new Log(0);
        log.claim(100, ME, 7).leads(110, ME, 7).resigns(120, ME);
        later.claim(200, ME, 7).leads(210, ME, 7).resigns(220, ME);

        assertThat(terms(300, 2, log, later)).containsExactly(term(7, ME, 210, 210, End.HANDED_OVER));
    }

    @Test
    void a_log_that_its_leader_has_lost_and_claims_again_is_counted_once() {
        Log second = new Log(0);
        log.claim(100, ME, 7).leads(130, ME, 7).resigns(200, ME);
        log.claim(300, ME, 7).leads(330, ME, 7);
        second.claim(101, OTHER, 6);

        assertThat(terms(400, 2, log, second)).isEmpty();
        assertThat(terms(400, 1, log, second)).containsExactly(term(7, ME, 130, NOT_YET, null));
    }
}
