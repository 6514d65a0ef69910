package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogCheckTest {

    private static final Duration LEASE = Duration.ofMinutes(1); // the writer has the system's clock
    private static final LogId LOG = new LogId(0, 0);
    private static final LogReader.Batch.Read NOTHING = LogReader.Batch.Read.NOTHING;

    private final KafkaSettings settings =
            Settings.withPartitions(Settings.withLease(Settings.offline(Map.of()), LEASE), 4);
    private final Problems problems = new Problems("group");
    private final AtomicInteger suspicions = new AtomicInteger();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final LogWriter writer = new LogWriter(
            producer,
            settings.topics(),
            new RecordCodec("group"),
            new LogOrigin(),
            Duration.ofSeconds(1),
            MemberClock.system());
    private final LogPositions positions = new LogPositions(false);
    private MonotonicTime now = MemberClock.system().time();
    private final LogCheck check =
            new LogCheck(writer, positions, settings, () -> new Moment(now, 0), problems, new CountedTopics());

    /** In leases. */
    private void passes(double leases) {
        now = now.plus(Duration.ofMillis((long) (leases * LEASE.toMillis())));
    }

    private void write(RuntimeException failure) {
        writer.append(LOG, Records.bid(new MemberId("member", new UUID(0, 1)), 7), 0);
        producer.errorNext(failure);
        check.writing();
    }

    private final class CountedTopics implements LogCheck.Topics {

        @Override
        public void suspect(int number) {
            suspicions.incrementAndGet();
        }

        @Override
        public void fail(int number, RuntimeException why) {
            throw why;
        }
    }

    private String problem() {
        return problems.mostSerious().map(Problem::text).orElse("");
    }

    @Test
    void a_topic_that_is_not_known_is_suspicious_and_no_more() {
        write(new UnknownTopicOrPartitionException("meant to fail"));
        assertThat(suspicions).hasValue(1);
        write(new TimeoutException("not present in metadata", new UnknownTopicOrPartitionException("meant to fail")));
        assertThat(suspicions).hasValue(2);
        write(new TimeoutException("expired"));
        assertThat(suspicions).hasValue(2);
        assertThat(problem()).isEmpty();
    }

    /** The second and third are what a producer gets that may write to no topic at all. */
    @Test
    void a_right_to_write_that_is_missing_is_named_in_whatever_words_it_is_refused() {
        for (RuntimeException refusal : List.of(
                new TopicAuthorizationException("group.neli"),
                new ClusterAuthorizationException("meant to fail"),
                new AuthenticationException(new ClusterAuthorizationException("meant to fail")))) {
            write(refusal);
            assertThat(problem()).contains("neli.topic.name is 'group.neli'", "no right to WRITE on this topic");
            problems.clear(Problems.Source.LOG);
        }
    }

    @Test
    void records_that_fail_for_reasons_that_do_not_pass_end_the_connection() {
        write(new KafkaException("meant to fail"));
        write(new KafkaException("meant to fail"));
        assertThatThrownBy(() -> write(new KafkaException("meant to fail")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("records cannot be written: meant to fail");
    }

    @Test
    void a_partition_is_to_be_read_up_to_what_was_written_to_it_within_two_leases() {
        positions.open(new LogOpening.Bounds(LOG, 0, 0));
        writer.append(LOG, Records.bid(new MemberId("member", new UUID(0, 1)), 7), 0);
        producer.completeNext();
        check.writing();
        passes(2.1);
        assertThatThrownBy(check::writing)
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("partition 0 is not read, although something was written");

        positions.read(Map.of(LOG, new OffsetAndMetadata(1)));
        check.writing();
        assertThat(problem()).isEmpty();
    }

    /** Such as one of a new member, which has many records to read before its own. */
    @Test
    void a_reader_that_proceeds_has_the_time_it_needs() {
        positions.open(new LogOpening.Bounds(LOG, 0, 0));
        long own = 9;
        for (long offset = 0; offset <= own; offset++) {
            writer.append(LOG, Records.bid(new MemberId("member", new UUID(0, 1)), 7), 0);
            producer.completeNext();
            if (offset < own) {
                writer.nextOutcome(); // as if it were another member's
            }
        }
        for (long next = 1; next <= own; next++) {
            check.writing();
            passes(1.5);
            positions.read(Map.of(LOG, new OffsetAndMetadata(next)));
        }
        check.writing();
        passes(2.5);
        assertThatThrownBy(check::writing).isInstanceOf(TimeoutException.class);
    }

    @Test
    void a_partition_that_is_closed_does_not_have_to_be_read() {
        positions.open(new LogOpening.Bounds(LOG, 0, 0));
        writer.append(LOG, Records.bid(new MemberId("member", new UUID(0, 1)), 7), 0);
        producer.completeNext();
        check.writing();
        positions.lost(Set.of(LOG));
        check.writing();
        positions.open(new LogOpening.Bounds(LOG, 0, 0));
        check.writing();
        passes(2.5);
        check.writing();
    }

    /** Such as those of a member that was paused while no broker was there. */
    @Test
    void what_failed_is_no_problem_any_more_when_nothing_is_written_for_long() {
        passes(1.1);
        write(new TimeoutException("no answer"));
        check.reading(NOTHING);
        assertThat(problem()).contains("no answer");
        passes(3.1);
        check.reading(NOTHING);
        assertThat(problem()).isEmpty();
    }
}
