package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.EmptyLogs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellTests;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class GroupMemberTest {

    private final List<ScriptedConsumer> made = new CopyOnWriteArrayList<>();
    private final AtomicInteger failuresToMake = new AtomicInteger();
    private volatile Duration ahead = Duration.ZERO;
    private final Problems problems = new Problems("group");
    private final GroupMember member = groupMember();
    private final Thread thread = new Thread(member);

    private GroupMember groupMember() {
        KafkaSettings settings = Settings.offline(Map.of());
        MemberClock clock = () -> new Moment(MemberClock.system().time().plus(ahead), 0);
        ElectionDriver driver = ShellTests.driver(
                settings.shell(), new MemberId("member", new UUID(0, 1)), problems, self -> new EmptyLogs());
        return new GroupMember(settings, clock, problems, driver, new KafkaClients(settings) {
            @Override
            Consumer<byte[], byte[]> group(NeliAssignor.Delegate delegate) {
                return make();
            }
        });
    }

    private final class ScriptedConsumer extends MockConsumer<byte[], byte[]> {
        private final AtomicInteger polls = new AtomicInteger();
        private volatile Duration closeLimit = Duration.ofDays(1);

        ScriptedConsumer() {
            super("none");
        }

        @Override
        public synchronized void close(CloseOptions options) {
            closeLimit = options.timeout().orElseThrow();
            super.close(options);
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls.incrementAndGet();
            LockSupport.parkNanos(1_000_000); // because the mock does not wait
            return super.poll(timeout);
        }
    }

    private Consumer<byte[], byte[]> make() {
        if (failuresToMake.getAndDecrement() > 0) {
            throw new KafkaException("Failed to construct kafka consumer");
        }
        ScriptedConsumer consumer = new ScriptedConsumer();
        made.add(consumer);
        return consumer;
    }

    @AfterEach
    void end() throws InterruptedException {
        member.close();
        thread.join(Duration.ofMinutes(2).toMillis());
        assertThat(made).allMatch(MockConsumer::closed);
    }

    private ScriptedConsumer awaitClient(int number) {
        eventually().until(() -> made.size() > number && made.get(number).polls.get() > 0);
        return made.get(number);
    }

    @Test
    void nothing_is_fetched_through_the_group() {
        thread.start();
        ScriptedConsumer consumer = awaitClient(0);
        TopicPartition partition = new TopicPartition("group.neli", 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.rebalance(List.of(partition));
        assertThat(consumer.subscription()).containsExactly("group.neli");
        assertThat(consumer.paused()).containsExactly(partition);
        assertThat(consumer.position(partition)).isZero();
    }

    @Test
    void a_client_that_cannot_be_made_is_tried_again() {
        failuresToMake.set(2);
        thread.start();
        awaitClient(0);
        assertThat(problems.mostSerious().map(Problem::text))
                .hasValueSatisfying(problem -> assertThat(problem).contains("group 'group.neli' cannot be joined"));
    }

    @Test
    void a_group_that_is_not_joined_for_long_is_a_problem_until_it_is() {
        thread.start();
        ScriptedConsumer consumer = awaitClient(0);
        assertThat(problems.mostSerious()).isEmpty();
        ahead = Duration.ofSeconds(30);
        eventually().until(() -> problems.mostSerious().isPresent());
        consumer.schedulePollTask(() -> consumer.rebalance(List.of())); // as a client does: while it polls
        eventually().until(() -> problems.mostSerious().isEmpty());
    }

    @Test
    void a_member_that_goes_on_as_another_one_leaves_which_is_waited_for_and_joins_anew() {
        thread.start();
        ScriptedConsumer consumer = awaitClient(0);
        member.renewed();
        awaitClient(1);
        assertThat(consumer.closed()).isTrue();
        assertThat(consumer.closeLimit).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
    }
}
