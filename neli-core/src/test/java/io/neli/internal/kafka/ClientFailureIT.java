package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.election.State;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that fails costs no leadership that the log does not take away. */
class ClientFailureIT {

    /** Longer than a busy machine stalls. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);

    private final String group = TestBroker.unusedName("client-failure");
    private final List<TestElection> all = new ArrayList<>();

    private TestElection start(KafkaSettings settings) {
        TestElection started = TestElection.start(settings);
        all.add(started);
        return started;
    }

    private KafkaSettings member() {
        return Settings.onSharedBroker(group, "member");
    }

    @AfterEach
    void end() {
        all.forEach(TestElection::close);
    }

    @Test
    void a_leader_keeps_leading_while_its_reader_is_replaced() {
        TestElection member = start(Settings.withLease(member(), LONG_LEASE));
        long token = member.awaitLead();
        for (Throwable failure :
                List.of(new KafkaException("meant to fail"), new NoClassDefFoundError("meant to fail"))) {
            int before = member.clients.readers.size();
            member.clients.reader().failNextPoll(failure);
            eventually().until(() -> member.clients.readers.size() > before && member.isRunning());
            member.awaitRenewal();
            eventually().until(() -> member.problem().isEmpty());
        }
        assertThat(member.driver.leads(0)).hasValue(token);
        assertThat(member.events).hasSize(1);
    }

    @Test
    void a_partition_that_could_not_be_opened_completely_is_opened_by_the_next_clients() {
        TestElection member = new TestElection(member());
        all.add(member);
        member.clients.failNextOpening.set(true);
        member.start();
        member.awaitLead();
        assertThat(member.clients.failNextOpening).isFalse();
        assertThat(member.clients.readers).hasSizeGreaterThan(1);
    }

    @Test
    void a_term_that_ends_while_the_clients_are_replaced_is_resigned_when_they_work() {
        KafkaSettings settings = Settings.withLease(member(), Duration.ofMinutes(5));
        TestElection leader = start(settings);
        leader.awaitLead();
        TestElection standby = start(Settings.named(settings, "standby"));
        eventually().until(() -> standby.position() > 0);
        leader.clients.holdConnecting = true;
        leader.clients.reader().failNextPoll(new KafkaException("meant to fail"));
        eventually().until(() -> leader.clients.heldConnecting.get() > 0);

        leader.driver.pause(null, true);
        eventually().until(() -> isStandby(leader, 0));
        leader.clients.letConnect();

        standby.awaitLead(); // which is not waited for as long as the lease lasts
    }

    @Test
    void a_topic_created_again_while_the_clients_are_replaced_is_a_gap() {
        TestElection member = start(Settings.withLease(member(), LONG_LEASE));
        long token = member.awaitLead();
        member.clients.holdConnecting = true;
        member.clients.reader().failNextPoll(new KafkaException("meant to fail"));
        eventually().until(() -> member.clients.heldConnecting.get() > 0);
        createAgain(member.settings.shell().topic(), member.position());
        assertThat(member.driver.leads(0)).hasValue(token);

        member.clients.letConnect();

        assertThat(member.awaitFenced()).isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LOG_GAP));
    }

    /** One that is longer, or the client would notice. */
    private static void createAgain(String topic, long length) {
        TestBroker broker = TestBroker.shared();
        Uuid former = broker.describe(topic).topicId();
        broker.delete(topic);
        broker.create(topic, 1, Map.of());
        eventually()
                .ignoreExceptions()
                .until(() -> !broker.describe(topic).topicId().equals(former));
        for (long offset = 0; offset <= length; offset++) {
            broker.append(topic, new byte[] {1}, null, List.of());
        }
    }

    /** Nothing may delay the end of a lease, and messages are served. */
    @Test
    void a_leader_is_fenced_on_time_while_its_clients_cannot_be_replaced() {
        TestElection member = start(Settings.withLease(member(), Settings.QUICK));
        long token = member.awaitLead();
        member.clients.holdConnecting = true;
        member.clients.reader().failNextPoll(new KafkaException("meant to fail"));
        eventually().until(() -> member.clients.heldConnecting.get() > 0);

        eventually().untilAsserted(() -> assertThat(member.events)
                .contains(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED)));
        assertThat(member.clients.heldConnecting).as("still connecting").hasValue(1);
        member.driver.pause(null, true);
        eventually().until(() -> member.driver.state().eligibility().restraint().paused());

        member.driver.pause(null, false);
        member.clients.letConnect();
        assertThat(member.awaitLead()).isGreaterThan(token);
    }

    /** As one whose fetches are answered with nothing. */
    @Test
    void a_reader_that_stands_still_although_its_own_record_is_in_the_log_is_replaced() {
        TestElection member = start(Settings.withLease(member(), Settings.QUICK));
        long token = member.awaitLead();
        int before = member.clients.readers.size();
        member.clients.reader().standStill();

        eventually().until(() -> member.clients.readers.size() > before);
        assertThat(member.awaitLead()).isGreaterThan(token);
        assertThat(member.awaitFenced().reason()).isEqualTo(FenceReason.LEASE_EXPIRED);
    }

    @Test
    void a_log_that_has_lost_its_end_between_the_answer_and_the_first_read_is_opened_again() {
        TestElection member = new TestElection(Settings.withLease(member(), Settings.QUICK));
        all.add(member);
        member.clients.nextLoss.set(150);
        member.start();
        member.awaitLead();
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Test
    void an_action_that_throws_does_not_keep_others_of_its_step_from_being_carried_out() {
        TestElection member = start(Settings.withLease(Settings.withPartitions(member(), 2), LONG_LEASE));
        member.awaitLead(0);
        member.awaitLead(1);
        AtomicBoolean thrown = new AtomicBoolean();
        member.listener = event -> {
            if (event instanceof LeaderRevoked && !thrown.getAndSet(true)) {
                throw new IllegalStateException("meant to fail");
            }
        };

        member.driver.pause(null, true);

        eventually()
                .until(() -> member.events.stream()
                                .filter(LeaderRevoked.class::isInstance)
                                .count()
                        == 2);
        eventually().until(() -> isStandby(member, 0) && isStandby(member, 1));
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    private static boolean isStandby(TestElection member, int partition) {
        return member.driver.state().partitions().get(partition).state() == State.STANDBY;
    }

    @Test
    void a_partition_that_cannot_be_reached_at_the_start_keeps_the_member_out_of_no_other() {
        TestElection member = new TestElection(Settings.withLease(Settings.withPartitions(member(), 3), LONG_LEASE));
        all.add(member);
        member.clients.unreachable.add(1);
        member.start();
        long first = member.awaitLead(0);
        long third = member.awaitLead(2);
        eventually().until(() -> member.clients.openings.get() > 2);
        member.letLeasePass(0, 2);
        member.awaitProblem("its partitions [1] cannot be read");
        assertThat(member.driver.leads(1)).isEmpty();

        member.clients.unreachable.clear();
        member.awaitLead(1);
        eventually().until(() -> member.problem().isEmpty());
        assertThat(member.driver.leads(0)).hasValue(first);
        assertThat(member.driver.leads(2)).hasValue(third);
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Test
    void a_reader_held_up_by_the_wall_clock_is_woken_and_the_leader_fenced() {
        TestElection member = start(member());
        long token = member.awaitLead();
        ControlledClients.Control reader = member.clients.reader();
        int woken = reader.wakeups.get();
        AtomicReference<OptionalLong> led = new AtomicReference<>();
        member.listener = event -> {
            if (event instanceof LeaderFenced) {
                led.set(member.driver.leads(0));
                reader.release(); // a reader that hangs for long would be replaced
            }
        };

        reader.pollsOnlyEndWhenWoken();
        member.skip(Settings.LEASE);

        assertThat(member.awaitFenced())
                .isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED));
        eventually().until(() -> led.get() != null);
        assertThat(led.get()).isEmpty();
        eventually().untilAsserted(() -> assertThat(reader.wakeups).hasValueGreaterThan(woken));
        assertThat(member.awaitLead()).isGreaterThan(token);
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Tag("proof")
    @Test
    void a_leader_stays_one_while_its_group_client_is_replaced() {
        TestElection member = start(Settings.withLease(member(), LONG_LEASE));
        long token = member.awaitLead();
        for (Throwable failure :
                List.of(new KafkaException("meant to fail"), new NoClassDefFoundError("meant to fail"))) {
            eventually().until(() -> member.driver.state().plan() != null);
            int before = member.clients.groups.size();
            member.clients.group().failNextPoll(failure);
            eventually().until(() -> member.clients.groups.size() > before);
            eventually().until(() -> member.problem().isEmpty());
            member.awaitRenewal();
        }
        assertThat(member.awaitLead()).isEqualTo(token);
        assertThat(member.events).hasSize(1);
    }

    @Tag("proof")
    @Test
    void records_deleted_under_the_reader_are_a_gap() {
        TestElection member = start(Settings.withLease(member(), LONG_LEASE));
        String topic = member.settings.shell().topic();
        long token = member.awaitLead();
        ControlledClients.Control reader = member.clients.reader();
        // A fetch under way may bring the records before they are deleted: then nothing is lost, and it is done again.
        for (int tries = 0; tries < 20 && !member.isFenced(); tries++) {
            reader.freeze();
            eventually().until(reader::isHeld);
            long before = member.position();
            TestBroker.shared().append(topic, new byte[] {1}, null, List.of());
            TestBroker.shared().append(topic, new byte[] {1}, null, List.of());
            TestBroker.shared().deleteRecords(topic, 0, -1);
            reader.release();
            eventually().until(() -> member.isFenced() || member.position() >= before + 2);
        }

        assertThat(member.awaitFenced()).isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LOG_GAP));
        eventually().until(() -> member.position() > 0);
        assertThat(member.isRunning()).isTrue();
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }
}
