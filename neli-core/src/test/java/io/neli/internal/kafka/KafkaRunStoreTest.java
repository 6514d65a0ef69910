package io.neli.internal.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class KafkaRunStoreTest {

    /** Fails as if the name of the servers could not be resolved. */
    private final KafkaRunStore store = new KafkaRunStore(
            Settings.offline(Map.of()), MemberClock.system(), new KafkaClients(Settings.offline(Map.of())) {
                @Override
                Producer<byte[], byte[]> runsWriter(Duration limit) {
                    throw new KafkaException("meant to fail");
                }

                @Override
                Admin admin() {
                    throw new KafkaException("meant to fail");
                }
            });

    /** An exception would keep the job from its other tasks. */
    @Test
    void a_producer_that_cannot_be_made_is_a_failed_write_and_stops_no_job() {
        RunKey key = new RunKey("job", 1, 0);
        RunRecord record = new RunRecord("job", Instant.EPOCH, null, null, false, "daily", "member", 1);
        assertThat(store.write(key, record)).failsWithin(Duration.ZERO);
        assertThatCode(() -> store.forget(List.of(key))).doesNotThrowAnyException();
    }

    /** By default, brokers accept no record from more than an hour ahead of them. */
    @Test
    void a_clock_that_the_brokers_do_not_accept_is_named_and_stays_one_problem() {
        Problem first = store.describe(new InvalidTimestampException("Timestamp 1795720247626 is out of range"));
        assertThat(first.text()).contains("clock", "set the clocks to the right time");
        assertThat(store.describe(new InvalidTimestampException("Timestamp 1795720252626 is out of range")))
                .isEqualTo(first);
    }

    /** A thread may close the election after an interrupt, and then everything after the store must be closed too. */
    @Test
    void a_thread_that_is_interrupted_closes_it_and_stays_interrupted() {
        KafkaRunStore connected = new KafkaRunStore(Settings.offline(Map.of()), MemberClock.system());
        Thread.currentThread().interrupt();
        connected.forget(List.of(new RunKey("job", 1, 0))); // creates a producer, and does not wait for the servers
        assertThatCode(connected::close).doesNotThrowAnyException();
        assertThat(Thread.interrupted()).isTrue();
    }
}
