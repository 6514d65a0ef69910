package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaClientsTest {

    /** For a thread of the common pool, an executable jar looks like this. */
    @Test
    void clients_are_created_where_the_context_class_loader_knows_none_of_their_classes() {
        KafkaClients clients = new KafkaClients(Settings.offline(Map.of()));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            List.of(
                            clients.admin(),
                            clients.reader("log"),
                            clients.group(new NoDelegate()),
                            clients.writer(),
                            clients.runsWriter(Duration.ofSeconds(10)))
                    .forEach(KafkaClientsTest::close);
            assertThat(thread.getContextClassLoader()).isEqualTo(ClassLoader.getPlatformClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void close(AutoCloseable client) {
        try {
            client.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class NoDelegate implements NeliAssignor.Delegate {

        @Override
        public MemberMetadata metadata() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void assigned(MemberPlan plan) {}
    }
}
