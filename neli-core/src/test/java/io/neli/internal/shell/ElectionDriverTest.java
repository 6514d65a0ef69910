package io.neli.internal.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import io.neli.internal.election.Decoded;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.Records;
import io.neli.internal.election.Term;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease that was over when somebody asked stays over, even if a slow step has read in time what extends it. And a
 * member that runs twice continues as another member.
 */
class ElectionDriverTest {

    private static final LogId LOG = new LogId(0, 0);
    private static final MemberId STRANGER = new MemberId("stranger", new UUID(1, 1));
    private static final long TICK = Duration.ofMillis(10).toNanos();
    private static final int MOST_TICKS = 3_000;

    private final ShellSettings settings = ShellTests.SETTINGS;
    private final List<LogEntry> written = new ArrayList<>();
    private final List<LeaderEvent> events = new ArrayList<>();
    private final List<Optional<Long>> leaders = new ArrayList<>();
    private int eventsBefore;
    private boolean ledAtLastEvent;
    private long now = settings.election().leaseDuration().toNanos();
    private int position;
    private int incarnations;
    private final Problems problems = new Problems("group");
    private final ElectionDriver driver = new ElectionDriver(
            settings,
            () -> new MemberId("member", new UUID(0, ++incarnations)),
            this::moment,
            new Effects(
                    this::received,
                    (partition, term) -> {
                        leaders.add(term.map(Term::token));
                        eventsBefore = events.size();
                    },
                    new MetricsReporter(List.of()),
                    problems),
            self -> new EmptyLogs());

    private void received(LeaderEvent event) {
        events.add(event);
        ledAtLastEvent = driver.leads(0, event.token());
    }

    private Moment moment() {
        return new Moment(new MonotonicTime(now), now / 1_000_000);
    }

    @BeforeEach
    void leads() {
        driver.use(new EmptyLogs() {
            @Override
            public void append(LogId log, LogRecord content, long readerPosition) {
                written.add(new LogEntry(written.size(), content));
            }
        });
        driver.step(Map.of(LOG, new Input.LogOpened(0, 0, false)));
        awaitLead();
        reads();
        events.clear();
    }

    private void awaitLead() {
        for (int tick = 0; tick < MOST_TICKS && driver.leads(0).isEmpty(); tick++) {
            passes();
            reads();
        }
        assertThat(driver.leads(0)).isPresent();
    }

    private void passes() {
        now += TICK;
        driver.timePassed();
    }

    /** Lets time pass until the lease is over. Returns when its last, unread heartbeat was still in time. */
    private long passesUntilTheLeaseIsOver() {
        int before = written.size();
        while (written.size() == before) {
            passes();
        }
        long begun = now;
        now += settings.election().leaseDuration().toNanos();
        return begun;
    }

    private void awaitLeadWithoutProblem(long formerToken) {
        awaitLead();
        assertThat(driver.leads(0).getAsLong()).isGreaterThan(formerToken);
        for (int tick = 0; tick < 10 * MOST_TICKS && problems.mostSerious().isPresent(); tick++) {
            reads();
            passes();
        }
        assertThat(problems.mostSerious()).isEmpty();
    }

    private void assertProblem(String words) {
        assertThat(problems.mostSerious())
                .hasValueSatisfying(problem -> assertThat(problem.text()).contains(words));
    }

    /** Reads what it has not written. */
    private void reads(Decoded foreign) {
        written.add(new LogEntry(written.size(), foreign));
        reads();
    }

    /** Reads everything that it has written. */
    private void reads() {
        List<LogEntry> entries = List.copyOf(written.subList(position, written.size()));
        position = written.size();
        driver.step(Map.of(LOG, new Input.RecordsRead(entries, position)));
    }

    @Test
    void a_term_does_not_come_back_after_the_answer_that_it_is_over() {
        long token = driver.leads(0).getAsLong();
        long begun = passesUntilTheLeaseIsOver();
        assertThat(driver.leads(0, token)).isFalse();

        now = begun; // simulates a step that began before that and ends after it
        reads();
        assertThat(driver.leads(0)).isEmpty();
        passes();

        assertThat(driver.leads(0)).isEmpty();
        assertThat(events).containsExactly(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED));
        assertThat(leaders).containsExactly(Optional.of(token), Optional.empty());
        assertThat(eventsBefore).as("the fence comes first").isEqualTo(1);
    }

    @Test
    void a_look_at_an_expired_lease_ends_no_term() {
        long token = driver.leads(0).getAsLong();
        long begun = passesUntilTheLeaseIsOver();
        assertThat(driver.leads(0)).isEmpty();
        assertThat(driver.metadata().leading()).isEmpty();

        now = begun; // simulates a step that began before that and ends after it
        reads();
        assertThat(driver.leads(0)).hasValue(token);
        assertThat(events).isEmpty();
    }

    @Test
    void what_is_announced_is_true_for_anybody_who_asks() {
        driver.pause(0, true);
        driver.takeMessages();

        assertThat(events).hasSize(1);
        assertThat(ledAtLastEvent).isFalse();
    }

    @Test
    void a_record_in_its_name_that_it_did_not_send_fences_it_and_it_goes_on_as_another_member() {
        long token = driver.leads(0).getAsLong();
        MemberId before = driver.self();
        ElectionSettings election = settings.election();
        PartitionConfig config = election.groupConfig().of(0);
        reads(Records.claim(before, Integer.MAX_VALUE, election.leaseDuration(), config, token));

        assertThat(driver.leads(0)).isEmpty();
        assertThat(events).containsExactly(new LeaderFenced("partition-0", 0, token, FenceReason.SUPERSEDED));
        assertThat(driver.self())
                .isEqualTo(new MemberId("member", new UUID(0, 2)))
                .isNotEqualTo(before);
        assertThat(driver.metadata().member()).isEqualTo(driver.self());
        assertThat(driver.isOpen(LOG)).isFalse();
        assertProblem("two processes write as one member");

        driver.drained(0, token, true);
        driver.takeMessages();
        position = 0;
        driver.step(Map.of(LOG, new Input.LogOpened(0, written.size(), false)));
        awaitLeadWithoutProblem(token);
        assertThat(driver.self().incarnation()).isEqualTo(new UUID(0, 2));
    }

    @Test
    void a_claim_with_a_much_longer_lease_keeps_it_from_leading_for_that_long_and_the_problem_says_so() {
        long token = driver.leads(0).getAsLong();
        long read = now;
        Duration lease = settings.election().leaseDuration().multipliedBy(10);
        reads(Records.claim(
                STRANGER, 0, lease, settings.election().groupConfig().of(0)));

        assertThat(events).containsExactly(new LeaderFenced("partition-0", 0, token, FenceReason.SUPERSEDED));
        driver.drained(0, token, true);
        driver.takeMessages();
        for (int tick = 0; tick < MOST_TICKS && problems.mostSerious().isEmpty(); tick++) {
            passes();
        }
        assertProblem("has granted a lease of 20s to a member that is silent");
        awaitLead();
        assertThat(now - read).isGreaterThan(lease.toNanos());
        awaitLeadWithoutProblem(token);
    }

    @Test
    void a_record_of_a_newer_version_makes_it_hand_over_and_the_problem_says_why() {
        long token = driver.leads(0).getAsLong();
        reads(new Decoded.Newer(settings.election().leaseDuration(), 0));

        assertThat(events).containsExactly(new LeaderRevoked("partition-0", 0, token, RevokeReason.CONFLICT));
        assertProblem("run a newer version of Neli");
        driver.drained(0, token, false);
        driver.takeMessages();
        awaitLeadWithoutProblem(token);
    }

    @Test
    void a_partition_needs_a_majority_of_its_own_logs() {
        ShellSettings onThreeLogs = ShellTests.settings(new GroupConfig(Mode.EXCLUSIVE, 2, "none", 3));
        ElectionDriver other = ShellTests.driver(onThreeLogs, STRANGER, problems, self -> new EmptyLogs());
        Input.LogOpened opened = new Input.LogOpened(0, 0, false);
        other.step(Map.of(LOG, opened, new LogId(1, 1), opened));
        assertThat(other.hasOpenMajority()).isFalse();
        other.step(Map.of(new LogId(0, 2), opened));
        assertThat(other.hasOpenMajority()).isTrue();
    }

    @Test
    void that_nobody_leads_any_longer_is_told_within_a_heartbeat_interval_though_nothing_is_read() {
        long token = driver.leads(0).getAsLong();
        long end = now + settings.election().leaseDuration().toNanos();

        driver.candidate(false);
        driver.takeMessages(); // it resigns, which nobody reads
        while (now < end + settings.election().heartbeatInterval().toNanos()) {
            passes();
        }

        assertThat(leaders).containsExactly(Optional.of(token), Optional.empty());
    }
}
