package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neli.NeliMetrics;
import io.neli.internal.election.MemberId;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ElectionThreadTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ElectionThread.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final ElectionThread election = election();
    private final Thread thread = new Thread(election);

    private ElectionThread election() {
        KafkaSettings settings = Settings.offline(Map.of());
        KafkaClients failing = new KafkaClients() {
            @Override
            Admin admin(Map<String, Object> properties) {
                attempts.incrementAndGet();
                throw new KafkaException("meant to fail");
            }
        };
        ElectionDriver.Effects effects = new ElectionDriver.Effects(
                event -> {},
                new NeliMetrics() {},
                () -> {},
                new IgnoredRecords(settings.topic()),
                new Problems(settings.groupId()));
        return new ElectionThread(
                settings,
                new ClientProperties(settings),
                failing,
                new MemberId("member", new UUID(0, 1)),
                MemberClock.system(),
                effects,
                () -> {},
                () -> {});
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
        thread.join(Duration.ofSeconds(10).toMillis());
        logger.detachAppender(logged);
        assertThat(thread.isAlive()).isFalse();
    }

    /** As by a close that has waited long enough. */
    @Test
    void an_interrupt_while_it_waits_to_connect_again_is_no_failure() {
        eventually().until(() -> attempts.get() >= 4 && thread.getState() == Thread.State.TIMED_WAITING);
        int before = attempts.get();
        thread.interrupt();
        eventually().until(() -> attempts.get() > before);
        assertThat(logged.list).noneMatch(event -> event.getLevel() == Level.ERROR);
    }
}
