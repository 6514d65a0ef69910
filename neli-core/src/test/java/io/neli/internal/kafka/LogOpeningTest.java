package io.neli.internal.kafka;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogOpeningTest {

    private long millis = 1_000;
    private int questions;
    private final AtomicInteger answered = new AtomicInteger();

    /** The pending questions: where a partition begins, and where it ends. */
    private final Map<Integer, KafkaFutureImpl<ListOffsetsResultInfo>> begins = new HashMap<>();

    private final Map<Integer, KafkaFutureImpl<ListOffsetsResultInfo>> ends = new HashMap<>();

    private final LogOpening opening = new LogOpening(
            (Admin) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Admin.class},
                    (proxy, method, arguments) -> listOffsets((Map<?, ?>) arguments[0])),
            "topic",
            () -> new Moment(new MonotonicTime(Duration.ofMillis(millis).toNanos()), millis),
            answered::incrementAndGet);

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
    void each_partition_is_answered_on_its_own() {
        opening.want(List.of(0, 1), Duration.ZERO);
        opening.ask();
        assertThat(opening.takeAnswers()).isEmpty();

        answer(1, 3, 8);
        assertThat(answered).as("notified").hasValue(1);
        assertThat(opening.takeAnswers()).containsExactly(new LogOpening.Bounds(1, 3, 8));
        assertThat(opening.takeAnswers()).isEmpty();
        millis += 5_000;
        assertThat(opening.closedFor(Duration.ofSeconds(5))).isEqualTo(Set.of(0));

        answer(0, 0, 2);
        assertThat(opening.takeAnswers()).containsExactly(new LogOpening.Bounds(0, 0, 2));
        assertThat(opening.closedFor(Duration.ZERO)).isEmpty();
        assertThat(asks()).isFalse();
        assertThat(opening.askAt()).isEqualTo(MonotonicTime.NEVER);
    }

    @Test
    void a_partition_that_cannot_be_reached_is_asked_for_again_after_a_growing_pause() {
        opening.want(Set.of(0), Duration.ZERO);
        for (long pause : List.of(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L)) {
            assertThat(asks()).isTrue();
            assertThat(asks()).as("while the answer is awaited").isFalse();
            fail(0, new TimeoutException("meant to fail"));
            assertThat(opening.takeAnswers()).isEmpty();
            millis += pause - 1;
            assertThat(asks()).isFalse();
            millis += 1;
        }
    }

    @Test
    void what_may_not_be_asked_is_a_failure() {
        TopicAuthorizationException refusal = new TopicAuthorizationException("meant to fail");
        opening.want(Set.of(0), Duration.ZERO);
        opening.ask();
        fail(0, refusal);
        assertThatThrownBy(opening::takeAnswers).isSameAs(refusal);
    }

    @Test
    void a_partition_that_is_wanted_twice_is_opened_once() {
        opening.want(Set.of(0), Duration.ZERO);
        opening.ask();
        KafkaFutureImpl<ListOffsetsResultInfo> begin = begins.get(0);
        KafkaFutureImpl<ListOffsetsResultInfo> end = ends.get(0);
        opening.want(Set.of(0), Duration.ZERO);
        opening.ask();
        answer(0, 0, 5);
        begin.complete(new ListOffsetsResultInfo(0, 0, Optional.empty()));
        end.complete(new ListOffsetsResultInfo(4, 0, Optional.empty()));
        assertThat(opening.takeAnswers()).containsExactly(new LogOpening.Bounds(0, 0, 5));
    }
}
