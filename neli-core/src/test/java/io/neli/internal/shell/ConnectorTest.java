package io.neli.internal.shell;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectorTest {

    private final AtomicBoolean closed = new AtomicBoolean();

    private final class Connected extends EmptyLogs {

        @Override
        public void close() {
            closed.set(true);
        }
    }

    private Connector connector() {
        Connector connector = new Connector("connect", Connected::new, () -> {});
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(connector::isDone);
        return connector;
    }

    @Test
    void a_connection_that_nobody_has_taken_is_closed() {
        try (Connector connector = connector()) {
            assertThat(connector.isDone()).isTrue();
            assertThat(closed).isFalse();
        }
        assertThat(closed).isTrue();
    }

    @Test
    void a_connection_that_was_taken_is_its_takers() throws Throwable {
        try (Connector connector = connector()) {
            assertThat(connector.take()).isNotNull();
        }
        assertThat(closed).isFalse();
    }
}
