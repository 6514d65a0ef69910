package io.neli.internal.kafka;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.internal.election.LogId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests whether a topic is still the one that was found. */
class ConnectedTopicsTest {

    private static final Uuid ID = new Uuid(1, 2);
    private static final Node BROKER = new Node(1, "localhost", 9092);
    private static final Duration INTERVAL = Settings.LEASE;
    private static final LogId LOG = new LogId(0, 0);

    private final List<KafkaFutureImpl<TopicDescription>> questions = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final KafkaSettings settings =
            new KafkaSettings(Map.of(), Settings.offline(Map.of()).shell(), true, 1, Duration.ofHours(1));
    private final ConnectedTopics topics = new ConnectedTopics(
            settings,
            () -> new Moment(new MonotonicTime(nanos.get()), 0),
            (Admin) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Admin.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("describeConfigs") ? configured() : described()),
            new LeaderTopics(settings, () -> true)::find,
            () -> {});

    private DescribeTopicsResult described() {
        KafkaFutureImpl<TopicDescription> question = new KafkaFutureImpl<>();
        questions.add(question);
        return new DescribeTopicsResult(null, Map.of("group.neli", question)) {};
    }

    private static DescribeConfigsResult configured() {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "group.neli");
        return new DescribeConfigsResult(Map.of(topic, KafkaFuture.completedFuture(new Config(List.of())))) {};
    }

    private static TopicDescription topic(Uuid id, @Nullable Node leader, Node replica) {
        return new TopicDescription(
                "group.neli",
                false,
                List.of(new TopicPartitionInfo(0, leader, List.of(replica), List.of(replica))),
                null,
                id);
    }

    @BeforeEach
    void begin() throws InterruptedException {
        topics.search();
        eventually().until(() -> questions.size() == 1);
        questions.remove(0).complete(topic(ID, BROKER, BROKER));
        topics.awaitFound();
        assertThat(topics.ids()).isEqualTo(Map.of(0, ID));
        assertThat(topics.brokers(0)).containsExactly(1);
    }

    @AfterEach
    void end() {
        topics.close();
    }

    private void passes(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private KafkaFutureImpl<TopicDescription> latest() {
        return questions.get(questions.size() - 1);
    }

    private void completes() {
        latest().complete(topic(ID, BROKER, BROKER));
    }

    private boolean isConfirmed() throws InterruptedException {
        topics.step();
        topics.requireMajority();
        return topics.isConfirmed(0);
    }

    /** Requires that this many questions are pending. The first step takes the answer, if any. */
    private void asksFor(int number) throws InterruptedException {
        passes(INTERVAL);
        topics.step();
        topics.step();
        assertThat(questions).hasSize(number);
    }

    @Test
    void the_topic_is_looked_at_from_time_to_time() throws InterruptedException {
        passes(INTERVAL.minusNanos(1));
        assertThat(isConfirmed()).isTrue();
        assertThat(questions).isEmpty();
        asksFor(1);
        assertThat(isConfirmed()).as("while it is not answered").isTrue();
        assertThat(topics.dueAt()).isEqualTo(MonotonicTime.NEVER);
        completes();
        assertThat(isConfirmed()).isTrue();
        asksFor(2);
    }

    @Test
    void a_topic_that_a_broker_does_not_know_for_a_moment_is_in_doubt_until_it_does() throws InterruptedException {
        for (int questions = 1; questions < 7; questions += 3) {
            asksFor(questions);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            asksFor(questions + 1);
            latest().completeExceptionally(new UnknownTopicOrPartitionException());
            asksFor(questions + 2);
            assertThat(topics.isConfirmed(0)).isFalse();
            completes();
            assertThat(isConfirmed()).isTrue();
        }
    }

    @Test
    void a_topic_that_is_not_known_three_times_in_a_row_or_has_another_id_is_another() throws InterruptedException {
        asksFor(1);
        latest().complete(topic(new Uuid(3, 4), BROKER, BROKER));
        topics.step();
        assertThatThrownBy(topics::requireMajority)
                .isInstanceOf(UnusableLogException.class)
                .hasMessageContaining("neli.topic.name is 'group.neli': it was deleted and created again");
        assertThat(topics.takeLost())
                .as("nothing that is known of its logs is valid")
                .containsExactly(0);
    }

    @Test
    void a_suspicion_while_there_is_doubt_leaves_the_question_under_way() throws InterruptedException {
        topics.suspect(0);
        topics.suspect(0);
        assertThat(questions).hasSize(1);
        completes();
        assertThat(isConfirmed()).isTrue();
    }

    @Test
    void doubt_lasts_until_a_question_asked_since_is_answered() throws InterruptedException {
        asksFor(1);
        KafkaFutureImpl<TopicDescription> before = latest();
        topics.doubt(0);
        before.complete(topic(ID, BROKER, BROKER));
        assertThat(isConfirmed()).isFalse();

        latest().completeExceptionally(new TimeoutException("no answer"));
        assertThat(isConfirmed()).isFalse();
        asksFor(3);
        completes();
        assertThat(isConfirmed()).isTrue();
    }

    @Test
    void no_right_to_ask_matters_only_in_doubt() throws InterruptedException {
        asksFor(1);
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThat(isConfirmed()).isTrue();

        topics.doubt(0);
        latest().completeExceptionally(new TopicAuthorizationException("topic"));
        assertThatThrownBy(this::isConfirmed).isInstanceOf(TopicAuthorizationException.class);
        assertThat(topics.takeLost())
                .as("the next connection continues where this one ended")
                .isEmpty();
    }

    @Test
    void whether_a_partition_has_a_leader_is_looked_at_more_often_while_it_has_none() throws InterruptedException {
        assertThat(topics.isLed(LOG)).isTrue();
        asksFor(1);
        latest().complete(topic(ID, null, BROKER));
        topics.step();
        assertThat(topics.isLed(LOG)).isFalse();

        passes(Duration.ofSeconds(1));
        topics.step();
        assertThat(questions).hasSize(2);
        completes();
        topics.step();
        assertThat(topics.isLed(LOG)).isTrue();
    }

    /** Otherwise a problem would name a broker that has nothing to do with it. */
    @Test
    void a_topic_that_was_moved_to_another_broker_is_known_to_be_there_when_that_is_down() throws InterruptedException {
        Node next = new Node(2, "localhost", 9093);
        asksFor(1);
        latest().complete(topic(ID, next, next));
        asksFor(2);
        latest().complete(topic(ID, null, next));
        topics.step();
        assertThat(topics.brokers(0)).containsExactly(2);
    }

    /** A member that may describe a topic but not read it finds it, and fails to read it, again and again. */
    @Test
    void it_pauses_before_it_searches_for_a_topic_that_cannot_be_used_any_more() {
        topics.fail(0, new TopicAuthorizationException("not allowed"));

        MonotonicTime now = new MonotonicTime(nanos.get());
        assertThat(now.until(topics.dueAt())).isEqualTo(Duration.ofMillis(100));
    }
}
