package io.neli.nats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.neli.LeaderEvent;
import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Term;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.EmptyLogs;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.ShellTests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What a connection reads, and where the next connection continues. */
class NatsSessionTest {

    private static final LogId LOG = new LogId(0, 0);
    private static final ZonedDateTime TIME = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final GroupConfig CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1);
    private static final ShellSettings SETTINGS = new ShellSettings(
            "member",
            "group",
            "group",
            true,
            0,
            List.of(),
            new ElectionSettings(
                    Duration.ofSeconds(2), Duration.ofMillis(100), Duration.ofSeconds(10), CONFIG, Map.of()));

    private final MemberId other = new MemberId("other", new UUID(0, 2));
    private MonotonicTime now = new MonotonicTime(0);
    private final MemberClock clock = () -> new Moment(now, 0);
    private final Problems problems = new Problems("group");
    private final NatsFailure failure = new NatsFailure("nats://host", "group");
    private final RecordHeaders headers = new RecordHeaders("group");
    private final NatsSession.Reading reading = new NatsSession.Reading();
    private final List<Unsent.Attempt> written = new ArrayList<>();
    private final List<LeaderEvent> fences = new ArrayList<>();
    private final List<String> answered = new ArrayList<>();
    private final Map<String, WriteCheck.Refused> refused = new HashMap<>();
    private final ElectionDriver driver = new ElectionDriver(
            SETTINGS,
            () -> new MemberId("member", new UUID(0, 1)),
            clock,
            ShellTests.effects(fences::add, SETTINGS, problems),
            self -> new EmptyLogs() {
                @Override
                public void readFurtherBack(LogId log) {
                    reading.extended().add(log);
                }
            });

    private final class FakeLink implements StreamLink {

        private final Inbox inbox = new Inbox();
        private final Opened opened;
        private long deliveries;

        FakeLink(boolean continues, long start, long end, boolean extendable) {
            this.opened = new Opened(TIME, continues, start, end, extendable, TIME);
        }

        @Override
        public Opened opened() {
            return opened;
        }

        @Override
        public Inbox inbox() {
            return inbox;
        }

        void delivers(long sequence, LogRecord record) {
            delivers(sequence, record, TIME.plusSeconds(sequence));
        }

        void delivers(long sequence, LogRecord record, ZonedDateTime time) {
            delivers(sequence, time, "neli.group.0", headers.encode(record), new byte[0]);
        }

        void delivers(long sequence, ZonedDateTime time, String subject, Headers headers, byte[] data) {
            deliveries++;
            inbox.add(new Inbox.Event.Received(new StreamMessage(sequence, deliveries, time, subject, headers, data)));
        }

        /** Reports that there is nothing to send. */
        void reports() {
            inbox.add(new Inbox.Event.Report(deliveries, null));
        }

        void ends() {
            inbox.add(new Inbox.Event.Closed("lost"));
        }

        @Override
        public void write(Unsent.Attempt attempt) {
            written.add(attempt);
        }

        @Override
        public void answer(String answerTo) {
            answered.add(answerTo);
        }

        @Override
        public void close() {}
    }

    private NatsSession begin(FakeLink link) {
        NatsSession session = session(link);
        session.begin();
        driver.use(session);
        session.open();
        return session;
    }

    private NatsSession session(FakeLink link) {
        return new NatsSession(
                link,
                SETTINGS,
                reading,
                driver,
                new Membership(SETTINGS, clock, driver),
                clock,
                new WriteCheck(Duration.ofSeconds(2), clock, problems, failure, refused));
    }

    private LogRecord claim(long token) {
        return new LogRecord.Claim(
                new LogRecord.Sender(other, token, Duration.ofMinutes(1)),
                new LogRecord.Grant(0, Duration.ofMinutes(1), CONFIG.of(0), Map.of()));
    }

    private LogRecord bid() {
        return new LogRecord.Bid(new LogRecord.Sender(other, 0, Duration.ofMinutes(1)), Term.NONE);
    }

    private @Nullable Term term() {
        return driver.state().partitions().get(0).term();
    }

    private LogRecord lastWritten() {
        List<LogRecord> records = written.stream()
                .map(attempt -> headers.decode(attempt.message().getHeaders()))
                .filter(LogRecord.class::isInstance)
                .map(LogRecord.class::cast)
                .toList();
        return records.get(records.size() - 1);
    }

    @Test
    void what_came_before_the_end_of_a_connection_counts() {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.delivers(1, claim(77));
        link.ends();

        assertThatThrownBy(() -> session.read(Duration.ZERO)).isInstanceOf(UncheckedIOException.class);

        assertThat(Objects.requireNonNull(term()).token()).isEqualTo(77);
        assertThat(reading.position().next()).isEqualTo(2);
        assertThat(reading.position().lastTime()).isEqualTo(TIME.plusSeconds(1));
    }

    @Test
    void a_log_that_is_read_again_and_not_to_its_end_is_read_again_by_the_next_connection() throws Exception {
        reading.position().begin(TIME, 1);
        reading.position().read(9, TIME.plusSeconds(9), clock.time());
        reading.extended().add(LOG);
        FakeLink link = new FakeLink(true, 1, 10, false);
        NatsSession session = begin(link);
        assertThat(reading.extended()).isEmpty();
        link.delivers(1, bid());
        session.read(Duration.ZERO);

        session.close();

        assertThat(reading.extended()).containsExactly(LOG);
        assertThat(reading.position().next()).as("what was read before").isEqualTo(10);
    }

    @Test
    void what_was_read_before_a_gap_is_carried_over_it() throws Exception {
        FakeLink link = new FakeLink(false, 1, 4, false);
        NatsSession session = begin(link);
        link.delivers(1, claim(77));
        link.delivers(3, bid());

        session.read(Duration.ZERO);

        assertThat(term()).as("of the log after the gap").isNull();
        assertThat(lastWritten().sender().token()).isEqualTo(77);
        assertThat(reading.position().next()).isEqualTo(4);
    }

    /** As where one subject was purged. */
    @Test
    void many_gaps_in_what_is_read_first_are_one_warning() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(NatsSession.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try {
            FakeLink link = new FakeLink(false, 1, 10, false);
            NatsSession session = begin(link);
            for (long sequence = 1; sequence < 10; sequence += 2) {
                link.delivers(sequence, bid());
            }

            session.read(Duration.ZERO);
        } finally {
            logger.detachAppender(logged);
        }
        assertThat(reading.position().next()).isEqualTo(10);
        assertThat(logged.list)
                .filteredOn(event -> event.getLevel() == Level.WARN)
                .hasSize(1);
    }

    @Test
    void before_a_gap_is_passed_what_can_be_read_from_further_back_is_read() {
        FakeLink link = new FakeLink(false, 5, 8, true);
        NatsSession session = begin(link);
        link.delivers(5, bid());
        link.delivers(7, bid());

        assertThatThrownBy(() -> session.read(Duration.ZERO)).isInstanceOf(Logs.ConnectAgain.class);

        assertThat(reading.extended()).containsExactly(LOG);
        assertThat(reading.position().isIn(TIME)).isFalse();
    }

    /** Runs a connection that reads this record, at sequence 1, and ends. */
    private void haveRead(LogRecord record) throws Exception {
        FakeLink link = new FakeLink(false, 1, 2, false);
        NatsSession session = begin(link);
        link.delivers(1, record);
        session.read(Duration.ZERO);
        session.close();
    }

    @Test
    void what_was_read_last_is_read_again_and_given_once() throws Exception {
        haveRead(claim(77));
        FakeLink link = new FakeLink(true, 1, 3, false);
        NatsSession session = begin(link);
        link.delivers(1, claim(88)); // another token, to tell the two apart
        link.delivers(2, bid());

        session.read(Duration.ZERO);

        assertThat(Objects.requireNonNull(term()).token()).isEqualTo(77);
        assertThat(reading.position().next()).isEqualTo(3);
        assertThat(fences).isEmpty();
    }

    @Test
    void another_message_where_the_last_one_was_is_no_continuation() throws Exception {
        haveRead(claim(77));
        FakeLink link = new FakeLink(true, 1, 3, false);
        NatsSession session = begin(link);
        link.delivers(1, bid(), TIME.plusDays(1));

        assertThatThrownBy(() -> session.read(Duration.ZERO)).isInstanceOf(Logs.ConnectAgain.class);

        assertThat(reading.extended()).containsExactly(LOG);
        assertThat(reading.position().isIn(TIME)).isFalse();
    }

    @Test
    void what_a_replica_that_is_behind_sends_before_is_passed_over() throws Exception {
        FakeLink link = new FakeLink(false, 5, 7, false);
        NatsSession session = begin(link);
        link.delivers(3, claim(77));
        link.delivers(4, bid());
        link.delivers(5, bid());
        link.delivers(6, bid());

        session.read(Duration.ZERO);

        assertThat(reading.position().next()).isEqualTo(7);
        assertThat(term()).isNull();
    }

    @Test
    void a_stream_that_goes_back_while_it_is_read_is_not_continued() throws Exception {
        FakeLink link = new FakeLink(false, 1, 3, false);
        NatsSession session = begin(link);
        link.delivers(1, bid());
        link.delivers(2, bid());
        link.delivers(1, claim(77));

        assertThatThrownBy(() -> session.read(Duration.ZERO)).isInstanceOf(Logs.ConnectAgain.class);

        assertThat(reading.position().isIn(TIME)).isFalse();
    }

    /** Otherwise, messages between the gap and the former position would count as read. */
    @Test
    void after_a_gap_in_what_is_read_again_the_next_connection_continues_there() throws Exception {
        reading.position().begin(TIME, 1);
        reading.position().read(9, TIME.plusSeconds(9), clock.time());
        reading.extended().add(LOG);
        FakeLink link = new FakeLink(true, 1, 10, false);
        NatsSession session = begin(link);
        link.delivers(1, bid());
        link.delivers(4, bid());
        session.read(Duration.ZERO);

        session.close();

        assertThat(reading.position().next()).isEqualTo(5);
    }

    /** Its clock was ahead when the consumer was created, and has been set since. */
    @Test
    void an_announcement_that_comes_after_the_end_is_new_whatever_the_clock_of_the_server_shows() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        session.read(Duration.ZERO);
        Message announcement = written.stream()
                .map(Unsent.Attempt::message)
                .filter(message -> message.getSubject().endsWith(".members"))
                .findFirst()
                .orElseThrow();
        link.delivers(
                1, TIME.minusHours(1), announcement.getSubject(), announcement.getHeaders(), announcement.getData());

        session.read(Duration.ZERO);

        assertThat(link.inbox().poll(Duration.ZERO))
                .as("the assignment that follows")
                .isInstanceOf(Inbox.Event.Wakeup.class);
    }

    @Test
    void a_server_that_waits_for_an_answer_gets_one() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.inbox().add(new Inbox.Event.Report(0, "answer.to"));
        session.read(Duration.ZERO);
        assertThat(answered).containsExactly("answer.to");
    }

    @Test
    void what_nobody_has_taken_is_written_again_but_an_announcement_is_made_anew() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.reports();
        session.read(Duration.ZERO);
        List<Unsent.Attempt> first = List.copyOf(written);
        written.clear();
        first.forEach(attempt -> link.inbox().add(new Inbox.Event.NotTaken(attempt, new IOException("nobody"))));

        session.read(Duration.ZERO);
        now = now.plus(Duration.ofMillis(100)); // a pause before the next attempt
        session.read(Duration.ZERO);

        List<Unsent.Attempt> records = first.stream()
                .filter(attempt -> !attempt.message().getSubject().endsWith(".members"))
                .toList();
        assertThat(written).contains(records.get(records.size() - 1));
        assertThat(written)
                .doesNotContainAnyElementsOf(first.stream()
                        .filter(attempt -> attempt.message().getSubject().endsWith(".members"))
                        .toList());
    }

    @Test
    void a_server_that_reports_nothing_is_left() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        assertThat(silence(session)).hasMessageContaining("has not reported anything");
    }

    @Test
    void why_the_server_ends_a_connection_is_the_problem() {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.inbox().add(new Inbox.Event.Refused("User Authentication Expired"));
        link.ends();
        assertThat(failure.of(catchThrowable(() -> session.read(Duration.ZERO))).text())
                .contains("User Authentication Expired", "neli.nats.credentials");
    }

    /** Reads nothing for longer than the server may be silent. */
    private Throwable silence(NatsSession session) {
        Throwable silent = catchThrowable(() -> {
            for (int rounds = 0; rounds < 200; rounds++) {
                now = now.plus(Duration.ofMillis(5));
                session.read(Duration.ZERO);
            }
        });
        assertThat(silent).isInstanceOf(RuntimeException.class);
        return silent;
    }

    @Test
    void a_message_before_which_two_connections_fall_silent_is_passed_over_as_a_gap() throws Exception {
        haveRead(claim(77));
        for (int connection = 1; connection <= 2; connection++) {
            assertThat(problems.of(Problems.Source.LOG)).isEmpty();
            FakeLink link = new FakeLink(true, 1, 9, false);
            NatsSession session = begin(link);
            link.delivers(1, claim(77));
            silence(session);
            session.close();
        }

        assertThat(problems.mostSerious()).hasValueSatisfying(problem -> assertThat(problem.text())
                .contains("the stream 'group'", "message 2 cannot be read", "nats stream rmm group 2"));
        assertThat(reading.position().next()).isEqualTo(3);
        assertThat(reading.position().lastTime()).as("that is no continuation").isNull();
        assertThat(reading.unreadable().first(TIME)).isEqualTo(3);
    }

    @Test
    void a_connection_on_which_nothing_has_come_proves_nothing_of_a_message() throws Exception {
        haveRead(claim(77));
        for (int connection = 1; connection <= 3; connection++) {
            NatsSession session = begin(new FakeLink(true, 1, 9, false));
            silence(session);
            session.close();
        }
        assertThat(reading.position().next()).isEqualTo(2);
    }

    @Test
    void a_server_that_has_refused_something_proves_nothing_of_a_message() {
        for (int connection = 1; connection <= 2; connection++) {
            FakeLink link = new FakeLink(false, 1, 9, false);
            NatsSession session = begin(link);
            link.inbox().add(new Inbox.Event.Refused("maximum subscriptions exceeded"));
            Throwable silent = silence(session);
            assertThat(failure.of(silent).text()).contains("maximum subscriptions exceeded");
            session.close();
        }
        assertThat(reading.position().next()).isEqualTo(1);
    }

    /** Where a message cannot be read, no answer comes that would show what is no longer refused. */
    @Test
    void what_was_refused_on_an_earlier_connection_is_not_why_a_message_is_not_read() throws Exception {
        haveRead(claim(77));
        refused.put("neli.group.0", new WriteCheck.Refused("Permissions Violation", clock.time()));
        for (int connection = 1; connection <= 2; connection++) {
            FakeLink link = new FakeLink(true, 1, 9, false);
            NatsSession session = begin(link);
            link.delivers(1, claim(77));
            assertThat(failure.of(silence(session)).text()).doesNotContain("Permissions Violation");
            session.close();
        }
        assertThat(reading.position().next()).isEqualTo(3);
    }

    @Test
    void a_server_that_reports_nothing_is_left_also_by_a_process_that_is_stopped_again_and_again() {
        NatsSession session = begin(new FakeLink(false, 1, 1, false));
        assertThatThrownBy(() -> {
                    for (int rounds = 0; rounds < 1_000; rounds++) {
                        session.read(Duration.ZERO);
                        now = now.plus(Duration.ofMillis(rounds % 5 == 0 ? 250 : 20)); // longer than a report takes
                    }
                })
                .hasMessageContaining("has not reported anything");
    }

    @Test
    void a_process_that_was_stopped_does_not_blame_the_server() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.reports();
        session.read(Duration.ZERO);

        now = now.plus(Duration.ofSeconds(1)); // more than three reports

        session.read(Duration.ZERO);
    }

    @Test
    void a_delivery_that_is_missing_ends_the_connection() {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.inbox().add(new Inbox.Event.Report(1, null));
        assertThatThrownBy(() -> session.read(Duration.ZERO)).hasMessageContaining("have not arrived");
    }

    @Test
    void a_stream_that_has_gone_back_ends_the_connection() throws Exception {
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = begin(link);
        link.delivers(1, bid());
        session.read(Duration.ZERO);
        Unsent.Attempt attempt = new Unsent.Attempt(written.get(0).message(), clock.time(), 2);
        link.inbox().add(new Inbox.Event.Written(attempt, 1));
        assertThatThrownBy(() -> session.read(Duration.ZERO)).hasMessageContaining("gone back");
    }

    @Test
    void what_is_written_before_another_stream_is_opened_may_be_its_first_message() throws Exception {
        haveRead(claim(77));
        written.clear();
        FakeLink link = new FakeLink(false, 1, 1, false);
        NatsSession session = session(link);
        session.begin();
        session.append(LOG, bid(), 0); // as the RESIGN of a leader that has lost its servers
        session.open();
        link.inbox().add(new Inbox.Event.Written(written.get(0), 1));

        session.read(Duration.ZERO);

        assertThat(problems.of(Problems.Source.LOG)).isEmpty();
    }

    @Test
    void what_the_rules_write_when_the_log_is_opened_is_written() {
        begin(new FakeLink(false, 1, 1, false));
        assertThat(written)
                .extracting(attempt -> headers.decode(attempt.message().getHeaders()))
                .hasAtLeastOneElementOfType(LogRecord.Hello.class);
    }
}
