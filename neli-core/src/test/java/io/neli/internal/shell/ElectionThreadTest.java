package io.neli.internal.shell;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ElectionThreadTest {

    private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final Logger logger = (Logger) LoggerFactory.getLogger(ElectionThread.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicBoolean works = new AtomicBoolean();
    private final AtomicBoolean hasTwin = new AtomicBoolean();
    private final AtomicBoolean failsAfterwards = new AtomicBoolean();
    private final AtomicInteger renewed = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private final ElectionThread election = new ElectionThread(
            ShellTests.SETTINGS,
            driver -> new FailingLogs(),
            () -> new Moment(new MonotonicTime(now.get()), now.get() / 1_000_000),
            ShellTests.effects());
    private final Thread thread = new Thread(election);

    /** Logs that fail to connect or read unless {@code works} is set. */
    private final class FailingLogs extends EmptyLogs {

        @Override
        public Connection connect() {
            attempts.incrementAndGet();
            failUnlessItWorks();
            return this;
        }

        private void failUnlessItWorks() {
            if (!works.get()) {
                throw new IllegalStateException("meant to fail");
            }
        }

        @Override
        public void begin() {
            election.driver().step(Map.of(new LogId(0, 0), new Input.LogOpened(0, 0, false)));
        }

        @Override
        public void renewed() {
            renewed.incrementAndGet();
        }

        @Override
        public void read(Duration longest) {
            failUnlessItWorks();
            if (hasTwin.getAndSet(false)) {
                LogId log = new LogId(0, 0);
                Duration lease = ShellTests.SETTINGS.election().leaseDuration();
                PartitionConfig its =
                        ShellTests.SETTINGS.election().groupConfig().of(0);
                LogEntry foreign =
                        new LogEntry(0, Records.claim(election.driver().self(), Integer.MAX_VALUE, lease, its));
                election.driver().step(Map.of(log, new Input.LogOpened(0, 0, false)));
                election.driver().step(Map.of(log, new Input.RecordsRead(List.of(foreign), 1)));
                if (failsAfterwards.getAndSet(false)) {
                    throw new IllegalStateException("meant to fail");
                }
            }
            reads.incrementAndGet();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @BeforeEach
    void start() {
        logged.start();
        logger.addAppender(logged);
        thread.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        election.close();
        thread.join(Duration.ofMinutes(2).toMillis());
        logger.detachAppender(logged);
        assertThat(thread.isAlive()).isFalse();
    }

    private void passes(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /** Lets time pass until it has tried this often. */
    private void awaitAttempts(int count) {
        eventually().until(() -> {
            passes(LONGEST_BACKOFF);
            return attempts.get() >= count;
        });
    }

    /** Otherwise, the wait would outlast a lease. */
    @Test
    void it_connects_again_at_once_after_a_connection_that_has_lasted_although_its_start_met_an_outage() {
        awaitAttempts(5); // each waits twice as long as the one before
        works.set(true);
        awaitReads();
        passes(ShellTests.SETTINGS.election().leaseDuration());
        awaitReads();
        int before = attempts.get();
        works.set(false);
        eventually().until(() -> !election.isRunning() && thread.getState() == Thread.State.TIMED_WAITING);

        passes(SHORTEST_BACKOFF);

        eventually().until(() -> attempts.get() > before);
    }

    private void awaitReads() {
        int before = reads.get();
        eventually().until(() -> {
            passes(LONGEST_BACKOFF);
            return reads.get() > before + 1;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_member_that_goes_on_as_another_one_has_other_clients(boolean fails) {
        works.set(true);
        awaitReads();
        MemberId former = election.driver().self();
        int before = attempts.get();
        failsAfterwards.set(fails); // right after it has noticed its twin
        hasTwin.set(true);
        eventually().until(() -> {
            passes(LONGEST_BACKOFF);
            return attempts.get() > before;
        });
        assertThat(renewed).hasValue(1);
        assertThat(election.driver().self()).isNotEqualTo(former);
        Moment moment = new Moment(new MonotonicTime(0), 0);
        assertThat(Incarnation.drawn(moment)).isNotEqualTo(Incarnation.drawn(moment));
        awaitReads();
    }

    /** A close interrupts like this after it has waited long enough. */
    @Test
    void an_interrupt_while_it_waits_to_connect_again_is_no_failure() {
        awaitAttempts(4);
        eventually().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        eventually().until(() -> !thread.isInterrupted()); // it has noticed
        awaitAttempts(attempts.get() + 1);
        assertThat(logged.list).noneMatch(event -> event.getLevel() == Level.ERROR);
    }
}
