package io.neli.nats;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the stream on one connection, for the election. Belongs to the election's thread. */
final class NatsSession implements Logs.Connection {

    private static final Logger log = LoggerFactory.getLogger(NatsSession.class);

    private static final int MOST_AT_ONCE = 1_000;

    private final StreamLink link;
    private final StreamLink.Opened opened;
    private final ShellSettings settings;
    private final Reading reading;
    private final ElectionDriver driver;
    private final Membership membership;
    private final MemberClock clock;
    private final WriteCheck check;
    private final Subjects subjects;
    private final Batch batch;
    private final Unsent unsent;
    private final SilenceCheck silence;

    /** The logs that are being read again, from further back. */
    private final Set<LogId> rereading = new HashSet<>();

    private boolean open;
    private boolean catchingUp;

    /** Whether there were gaps since it has last caught up. */
    private boolean gaps;

    private long expected;

    /** This connection has caught up when everything before this sequence has been read. */
    private long end;

    private long deliveries;

    /**
     * State that outlives a connection.
     *
     * @param position how far the stream has been read
     * @param extended the logs to read again, from further back
     */
    record Reading(StreamPosition position, Set<LogId> extended, Unreadable unreadable) {

        Reading() {
            this(new StreamPosition(), new HashSet<>(), new Unreadable());
        }
    }

    NatsSession(
            StreamLink link,
            ShellSettings settings,
            Reading reading,
            ElectionDriver driver,
            Membership membership,
            MemberClock clock,
            WriteCheck check) {
        this.link = link;
        this.opened = link.opened();
        this.settings = settings;
        this.reading = reading;
        this.driver = driver;
        this.membership = membership;
        this.clock = clock;
        this.check = check;
        this.subjects = new Subjects(settings.topic());
        this.batch = new Batch(settings, subjects);
        this.unsent = new Unsent(settings.election().leaseDuration());
        this.silence = new SilenceCheck(StreamConnection.heartbeat(settings), clock);
    }

    /** In another stream, forgets what was read before anything is written there. */
    @Override
    public void begin() {
        silence.heard();
        if (!opened.continues()) {
            driver.lost(settings.logs());
            reading.position().begin(opened.stream(), opened.start());
        }
    }

    @Override
    public void append(LogId place, LogRecord content, long readerPosition) {
        write(NatsMessage.builder()
                .subject(subjects.of(place.partition()))
                .headers(batch.headers().encode(content))
                .build());
    }

    private void write(Message message) {
        link.write(new Unsent.Attempt(message, clock.time(), reading.position().next()));
    }

    /** On the first call, continues where the last connection ended, if that is still in the stream. */
    @Override
    public void open() {
        if (!open) {
            open = true;
            openStream();
        } else if (!reading.extended().isEmpty()) {
            throw new Logs.ConnectAgain("records of " + reading.extended() + " are to be read from further back");
        }
    }

    private void openStream() {
        StreamPosition position = reading.position();
        expected = opened.start();
        end = Math.max(opened.end(), position.next());
        catchingUp = true;
        membership.beginCatchUp();
        if (opened.continues()) {
            rereading.addAll(reading.extended());
        }
        batch.begin(position.next(), rereading);
        open(opened.continues() ? rereading : settings.logs());
        reading.extended().clear();
        checkCaughtUp();
    }

    private void open(Collection<LogId> logs) {
        Input.LogOpened input = new Input.LogOpened(Batch.offset(expected), Batch.offset(end), opened.extendable());
        Map<LogId, Input.LogOpened> inputs = new HashMap<>();
        logs.forEach(each -> inputs.put(each, input));
        driver.step(inputs);
    }

    /** Makes the next connection discard what was read and read from further back. */
    private Logs.ConnectAgain furtherBack(String why) {
        reading.extended().addAll(settings.logs());
        reading.position().lost();
        return new Logs.ConnectAgain("reads from further back: " + why);
    }

    @Override
    public void wakeup() {
        link.inbox().add(new Inbox.Event.Wakeup());
    }

    @Override
    public void read(Duration longest) throws InterruptedException {
        announce();
        unsent.take(clock.time()).forEach(this::writeAgain);
        Duration wait = Collections.min(List.of(longest, untilDue()));
        checkPause(wait);
        Inbox.Event event = link.inbox().poll(wait);
        checkPause(Duration.ZERO);
        try {
            for (int left = MOST_AT_ONCE; event != null; left--) {
                take(event);
                event = left == 0 ? null : link.inbox().poll(Duration.ZERO);
            }
        } finally {
            stepWithBatch(); // messages that have arrived count, even if a later event fails
        }
        announce();
        checkPause(Duration.ZERO);
        check.check(expected);
        if (silence.lasts()) {
            throw silent();
        }
    }

    private RuntimeException silent() {
        boolean beforeUnread = !check.isRefused() && (deliveries > 0 || !opened.continues());
        long passed = beforeUnread ? reading.unreadable().silentAt(opened.stream(), expected, opened.end()) : 0;
        if (passed == 0) {
            return check.failure("the server has not reported anything for "
                    + silence.longest().toMillis() + " ms");
        }
        reading.position().begin(opened.stream(), expected + passed);
        check.unreadable(expected, passed);
        return new Logs.ConnectAgain("message " + expected + " cannot be read");
    }

    private void checkPause(Duration wait) {
        check.resumed(silence.stoppedFor(wait));
    }

    /** An old announcement may be out of date, so the member makes a new one. */
    private void writeAgain(Unsent.Attempt attempt) {
        if (subjects.isMembers(attempt.message().getSubject())) {
            membership.rejoin();
        } else {
            link.write(attempt);
        }
    }

    private void announce() {
        Message announcement = membership.step();
        if (announcement != null) {
            write(announcement);
        }
    }

    /** The time until something is to be done without an event; not negative. */
    private Duration untilDue() {
        List<MonotonicTime> due = List.of(unsent.dueAt(), membership.dueAt(clock.time()), silence.dueAt());
        return new Deadline(Collections.min(due), clock).left();
    }

    private void take(Inbox.Event event) {
        if (event instanceof Inbox.Event.Received received) {
            silence.heard();
            take(received.message());
        } else if (event instanceof Inbox.Event.Report report) {
            silence.heard();
            take(report);
        } else if (event instanceof Inbox.Event.Written written) {
            unsent.written(written.attempt());
            check.written(written.attempt(), written.sequence());
        } else if (event instanceof Inbox.Event.NotWritten failed) {
            check.failed(failed.attempt(), failed.why());
        } else if (event instanceof Inbox.Event.NotTaken notTaken) {
            unsent.add(notTaken.attempt(), clock.time());
            check.failed(notTaken.attempt(), notTaken.why());
        } else if (event instanceof Inbox.Event.Refused refused) {
            check.refused(refused.why());
        } else if (event instanceof Inbox.Event.Closed closed) {
            throw check.failure(closed.why());
        }
    }

    private void take(Inbox.Event.Report report) {
        if (report.answerTo() != null) {
            link.answer(report.answerTo());
        }
        if (report.sent() >= 0 && report.sent() != deliveries) {
            throw NatsFailure.ofConnection("messages have not arrived");
        }
    }

    private void take(StreamMessage message) {
        if (message.delivery() != deliveries + 1) {
            throw NatsFailure.ofConnection("messages have not arrived");
        }
        deliveries++;
        if (message.sequence() < expected) {
            if (expected > opened.start()) {
                throw furtherBack("the stream has gone back to " + message.sequence());
            }
            return; // not asked for: the replica that sends it was behind
        }
        if (message.sequence() > expected) {
            gap(message);
        }
        expected = message.sequence() + 1;
        if (opened.continues() && message.sequence() == reading.position().next() - 1) {
            checkSame(message);
        }
        batch.add(message);
        if (subjects.isMembers(message.subject())) {
            membership.read(message, age(message));
        }
        checkCaughtUp();
    }

    /** What comes after the end is new, also where the server's clock was set back meanwhile. */
    private Duration age(StreamMessage message) {
        Duration age = Duration.between(message.time(), opened.now());
        return catchingUp && !age.isNegative() ? age : Duration.ZERO;
    }

    /** Checks the previous connection's last message, sent again: a server may have lost it and stored another. */
    private void checkSame(StreamMessage message) {
        ZonedDateTime stored = reading.position().lastTime();
        if (stored == null || !message.time().isEqual(stored)) {
            throw furtherBack("there is another message at " + message.sequence() + " than was read");
        }
    }

    /**
     * The next messages, of any partition, were deleted. What was read before them counts. While catching up, the next
     * connection first reads from further back if it can.
     */
    private void gap(StreamMessage next) {
        if (!gaps) { // where messages of one subject were deleted, there may be thousands
            log.warn(
                    "Group {}, stream {}: the messages from {} to {} are gone",
                    settings.groupId(),
                    settings.topic(),
                    expected,
                    next.sequence() - 1);
        }
        gaps = true;
        stepWithBatch();
        if (catchingUp && opened.extendable()) {
            throw furtherBack("messages are gone");
        }
        driver.lost(settings.logs());
        rereading.clear();
        reading.position().begin(opened.stream(), next.sequence());
        batch.begin(next.sequence(), Set.of());
        expected = next.sequence();
        end = Math.max(end, next.sequence() + 1);
        open(settings.logs());
        catchingUp = true;
    }

    /** Logs without messages have caught up too. */
    private void checkCaughtUp() {
        if (catchingUp && expected >= end) {
            catchingUp = false;
            gaps = false;
            batch.addAll(settings.logs());
            stepWithBatch();
            rereading.clear();
            membership.caughtUp();
        }
    }

    /** Steps the election before the position moves, so that a failure in between skips nothing. */
    private void stepWithBatch() {
        driver.step(batch.take(expected));
        StreamMessage last = batch.last();
        if (last != null) {
            reading.position().read(last.sequence(), last.time(), clock.time());
        }
    }

    void leave() {
        write(membership.farewell());
    }

    @Override
    public void close() {
        if (open) {
            reading.extended().addAll(rereading); // these were not read to the end
        }
        link.close();
    }
}
