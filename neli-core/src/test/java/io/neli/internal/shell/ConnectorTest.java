package io.neli.internal.shell;

import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ConnectorTest {

    private final AtomicBoolean closed = new AtomicBoolean();

    private final class Connected extends EmptyLogs {

        @Override
        public void close() {
            closed.set(true);
        }
    }

    @Test
    void a_connection_that_nobody_has_taken_is_closed() {
        try (Connector connector = new Connector("connect", Connected::new, () -> {})) {
            eventually().until(connector::isDone);
            assertThat(closed).isFalse();
        }
        assertThat(closed).isTrue();
    }
}
