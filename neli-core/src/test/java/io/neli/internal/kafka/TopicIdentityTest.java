package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TopicIdentityTest {

    private static final Uuid ID = new Uuid(1, 2);

    private final List<KafkaFutureImpl<Uuid>> questions = new ArrayList<>();
    private final TopicIdentity identity =
            new TopicIdentity("topic", ID, Duration.ofMillis(1), MemberClock.system(), () -> {
                KafkaFutureImpl<Uuid> question = new KafkaFutureImpl<>();
                questions.add(question);
                return question;
            });

    private KafkaFutureImpl<Uuid> latest() {
        return questions.get(questions.size() - 1);
    }

    private void awaitQuestion(int number) {
        Awaitility.await().until(() -> {
            identity.check();
            return questions.size() == number;
        });
    }

    @Test
    void theIdIsAskedForFromTimeToTime() {
        assertThat(identity.check()).isTrue();
        assertThat(questions).isEmpty();
        awaitQuestion(1);
        assertThat(identity.check()).as("while it is not answered").isTrue();
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
        awaitQuestion(2);
    }

    @Test
    void anotherIdIsAnotherTopic() {
        identity.doubt();
        latest().complete(new Uuid(3, 4));
        assertThatThrownBy(identity::check)
                .isInstanceOf(LogReplacedException.class)
                .hasMessageContaining("neli.topic is 'topic': it was deleted and created anew");
    }

    @Test
    void aTopicThatTheBrokersDoNotKnowIsGone() {
        awaitQuestion(1);
        latest().completeExceptionally(new UnknownTopicOrPartitionException());
        awaitQuestion(2);
        latest().completeExceptionally(new UnknownTopicOrPartitionException());
        awaitQuestion(3);
        latest().completeExceptionally(new UnknownTopicOrPartitionException());
        assertThatThrownBy(identity::check)
                .isInstanceOf(LogReplacedException.class)
                .hasMessageContaining("it is gone");
    }

    @Test
    void aTopicThatABrokerDoesNotKnowForAMomentIsInDoubtUntilItDoes() {
        for (int questions = 1; questions < 7; questions += 3) {
            awaitQuestion(questions);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            awaitQuestion(questions + 1);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            awaitQuestion(questions + 2);
            assertThat(identity.isInDoubt()).isTrue();
            latest().complete(ID);
            assertThat(identity.check()).isTrue();
            assertThat(identity.isInDoubt()).isFalse();
        }
    }

    @Test
    void aSuspicionWhileThereIsDoubtLeavesTheQuestionUnderWay() {
        identity.suspect();
        identity.suspect();
        assertThat(questions).hasSize(1);
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
    }

    @Test
    void doubtLastsUntilAQuestionAskedSinceIsAnswered() {
        awaitQuestion(1);
        KafkaFutureImpl<Uuid> before = latest();
        identity.doubt();
        before.complete(ID);
        assertThat(identity.check()).isFalse();

        latest().completeExceptionally(new TimeoutException("no answer"));
        assertThat(identity.check()).isFalse();
        awaitQuestion(3);
        latest().complete(ID);
        assertThat(identity.check()).isTrue();
    }

    @Test
    void noRightToAskMattersOnlyInDoubt() {
        awaitQuestion(1);
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThat(identity.check()).isTrue();

        identity.doubt();
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThatThrownBy(identity::check).isInstanceOf(TopicAuthorizationException.class);
    }
}
