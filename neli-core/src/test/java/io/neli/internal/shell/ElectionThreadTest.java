package io.neli.internal.shell;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neli.NeliMetrics;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ElectionThreadTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ElectionThread.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final ElectionThread election = election();
    private final Thread thread = new Thread(election);

    private ElectionThread election() {
        ElectionDriver.Effects effects = new ElectionDriver.Effects(
                event -> {},
                new NeliMetrics() {},
                () -> {},
                new IgnoredRecords(ShellTests.SETTINGS),
                new Problems("group"));
        return new ElectionThread(
                ShellTests.SETTINGS,
                new Failing(),
                new MemberId("member", new UUID(0, 1)),
                MemberClock.system(),
                effects);
    }

    /** Cannot be connected to. */
    private final class Failing implements Logs {

        @Override
        public void start(ElectionDriver driver) {}

        @Override
        public Connection connect(Runnable wakeup) {
            attempts.incrementAndGet();
            throw new IllegalStateException("meant to fail");
        }

        @Override
        public void opened() {}

        @Override
        public void settled() {}

        @Override
        public Problem describe(Throwable failure) {
            return new Problem(String.valueOf(failure), "none", true);
        }

        @Override
        public void rejoin() {}

        @Override
        public void readFurtherBack(LogId log) {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() {
        logged.start();
        logger.addAppender(logged);
        thread.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        election.close(Duration.ZERO);
        thread.join(Duration.ofMinutes(2).toMillis());
        logger.detachAppender(logged);
        assertThat(thread.isAlive()).isFalse();
    }

    /** As by a close that has waited long enough. */
    @Test
    void an_interrupt_while_it_waits_to_connect_again_is_no_failure() {
        eventually().until(() -> attempts.get() >= 4 && thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        eventually().until(() -> !thread.isInterrupted()); // it has noticed
        int before = attempts.get();
        eventually().until(() -> attempts.get() > before);
        assertThat(logged.list).noneMatch(event -> event.getLevel() == Level.ERROR);
    }
}
