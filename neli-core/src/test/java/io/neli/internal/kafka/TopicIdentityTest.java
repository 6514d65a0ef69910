package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TopicIdentityTest {

    private static final Uuid ID = new Uuid(1, 2);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final List<KafkaFutureImpl<Uuid>> questions = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final TopicIdentity identity = new TopicIdentity(
            "neli.topic.name is 'topic'",
            ID,
            Duration.ofMillis(1),
            () -> new Moment(new MonotonicTime(nanos.get()), 0),
            () -> {
                KafkaFutureImpl<Uuid> question = new KafkaFutureImpl<>();
                questions.add(question);
                return question;
            });

    private void passes(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private KafkaFutureImpl<Uuid> latest() {
        return questions.get(questions.size() - 1);
    }

    /** The first check takes the answer, if there is one. */
    private void asksFor(int number) {
        passes(INTERVAL.plusNanos(1));
        identity.check();
        identity.check();
        assertThat(questions).hasSize(number);
    }

    @Test
    void the_id_is_asked_for_from_time_to_time() {
        passes(INTERVAL);
        assertThat(identity.check()).isTrue();
        assertThat(questions).isEmpty();
        asksFor(1);
        assertThat(identity.check()).as("while it is not answered").isTrue();
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
        asksFor(2);
    }

    @Test
    void a_topic_that_a_broker_does_not_know_for_a_moment_is_in_doubt_until_it_does() {
        for (int questions = 1; questions < 7; questions += 3) {
            asksFor(questions);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            asksFor(questions + 1);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            asksFor(questions + 2);
            assertThat(identity.isInDoubt()).isTrue();
            latest().complete(ID);
            assertThat(identity.check()).isTrue();
            assertThat(identity.isInDoubt()).isFalse();
        }
    }

    @Test
    void a_suspicion_while_there_is_doubt_leaves_the_question_under_way() {
        identity.suspect();
        identity.suspect();
        assertThat(questions).hasSize(1);
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
    }

    @Test
    void doubt_lasts_until_a_question_asked_since_is_answered() {
        asksFor(1);
        KafkaFutureImpl<Uuid> before = latest();
        identity.doubt();
        before.complete(ID);
        assertThat(identity.check()).isFalse();

        latest().completeExceptionally(new TimeoutException("no answer"));
        assertThat(identity.check()).isFalse();
        asksFor(3);
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
    }

    @Test
    void no_right_to_ask_matters_only_in_doubt() {
        asksFor(1);
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThat(identity.check()).isTrue();

        identity.doubt();
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThatThrownBy(identity::check).isInstanceOf(TopicAuthorizationException.class);
    }
}
