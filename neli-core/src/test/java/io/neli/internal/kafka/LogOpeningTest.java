package io.neli.internal.kafka;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogOpeningTest {

    private static final LogId FIRST = new LogId(0, 0);

    private long millis = 1_000;
    private int questions;

    /** The pending questions for the begin and the end of a partition. */
    private final Map<Integer, KafkaFutureImpl<ListOffsetsResultInfo>> begins = new HashMap<>();

    private final Map<Integer, KafkaFutureImpl<ListOffsetsResultInfo>> ends = new HashMap<>();

    private final KafkaSettings settings = Settings.withQuorum(Settings.offline(Map.of()), 1, 3);
    private final Admin admin = (Admin) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> listOffsets((Map<?, ?>) arguments[0]));
    private final MemberClock clock =
            () -> new Moment(new MonotonicTime(Duration.ofMillis(millis).toNanos()), millis);
    private final FakeTopics topics = new FakeTopics(settings, clock, admin);
    private final LogOpening opening =
            new LogOpening(admin, topics, new KafkaRecords(settings.shell()), clock, () -> {});

    private ListOffsetsResult listOffsets(Map<?, ?> asked) {
        questions++;
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
        asked.forEach((partition, which) -> {
            KafkaFutureImpl<ListOffsetsResultInfo> answer = new KafkaFutureImpl<>();
            TopicPartition name = (TopicPartition) partition;
            (which instanceof OffsetSpec.EarliestSpec ? begins : ends).put(name.partition(), answer);
            answers.put(name, answer);
        });
        return new ListOffsetsResult(answers);
    }

    private void answer(int partition, long begin, long end) {
        begins.get(partition).complete(new ListOffsetsResultInfo(begin, 0, Optional.empty()));
        ends.get(partition).complete(new ListOffsetsResultInfo(end, 0, Optional.empty()));
    }

    private void fail(int partition, Exception failure) {
        begins.get(partition).completeExceptionally(failure);
        ends.get(partition).completeExceptionally(failure);
    }

    private boolean asks() {
        int before = questions;
        opening.ask();
        return questions > before;
    }

    @Test
    void a_partition_that_cannot_be_reached_is_asked_for_again_after_a_growing_pause() throws InterruptedException {
        opening.want(Set.of(FIRST), Duration.ZERO);
        for (long pause : List.of(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L)) {
            assertThat(asks()).isTrue();
            assertThat(asks()).as("while the answer is awaited").isFalse();
            fail(0, new TimeoutException("meant to fail"));
            assertThat(opening.take()).isEmpty();
            millis += pause - 1;
            assertThat(asks()).isFalse();
            millis += 1;
        }
    }

    /** Otherwise, the client would ask for the leader constantly, without pauses. */
    @Test
    void where_a_log_begins_and_ends_is_not_asked_again_while_it_has_no_leader() throws InterruptedException {
        topics.led = false;
        opening.want(Set.of(FIRST), Duration.ZERO);
        assertThat(asks()).isTrue();
        fail(0, new TimeoutException("meant to fail"));
        for (int tries = 0; tries < 5; tries++) {
            assertThat(opening.take()).isEmpty();
            millis += 2_000;
            assertThat(asks()).isFalse();
            assertThat(opening.askAt()).isEqualTo(MonotonicTime.NEVER);
        }
        assertThat(opening.take()).isEmpty();
        topics.led = true;
        millis += 2_000;
        assertThat(asks()).isTrue();
        answer(0, 0, 5);
        assertThat(opening.take()).isEqualTo(Map.of(FIRST, new LogOpening.Bounds(0, 5)));
    }

    @Test
    void what_may_not_be_asked_is_a_failure() throws InterruptedException {
        TopicAuthorizationException refusal = new TopicAuthorizationException("meant to fail");
        opening.want(Set.of(FIRST), Duration.ZERO);
        opening.ask();
        fail(0, refusal);
        assertThat(opening.take()).isEmpty();
        assertThat(topics.failures).isEqualTo(Map.of(0, refusal));
    }

    @Test
    void a_partition_that_is_wanted_twice_is_opened_once() throws InterruptedException {
        opening.want(Set.of(FIRST), Duration.ZERO);
        opening.ask();
        KafkaFutureImpl<ListOffsetsResultInfo> begin = begins.get(0);
        KafkaFutureImpl<ListOffsetsResultInfo> end = ends.get(0);
        opening.want(Set.of(FIRST), Duration.ZERO);
        opening.ask();
        begin.complete(new ListOffsetsResultInfo(0, 0, Optional.empty()));
        end.complete(new ListOffsetsResultInfo(4, 0, Optional.empty()));
        assertThat(opening.take()).as("asked before").isEmpty();
        answer(0, 0, 5);
        assertThat(opening.take()).isEqualTo(Map.of(FIRST, new LogOpening.Bounds(0, 5)));
    }

    /** For example, while it is being checked whether their topic is the same. */
    @Test
    void logs_of_one_topic_are_asked_for_and_opened_without_those_of_another() throws InterruptedException {
        LogId other = new LogId(0, 1);
        topics.confirmed.remove(1);
        opening.want(List.of(other), Duration.ZERO);
        opening.ask();
        assertThat(questions).isZero();
        assertThat(opening.askAt()).isEqualTo(MonotonicTime.NEVER);

        topics.confirmed.add(1);
        opening.ask();
        answer(0, 0, 5);
        topics.confirmed.remove(1);
        assertThat(opening.take()).isEmpty();
        topics.confirmed.add(1);
        assertThat(opening.take()).isEqualTo(Map.of(other, new LogOpening.Bounds(0, 5)));
    }
}
