package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.internal.election.Term;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** What the shell makes of clocks and clients that fail it. */
class KafkaElectionIT {

    private final String group = TestBroker.unusedName("engine");
    private final List<TestElection> all = new ArrayList<>();

    private TestElection newElection(KafkaSettings settings) {
        TestElection election = new TestElection(settings);
        all.add(election);
        return election;
    }

    private TestElection start(KafkaSettings settings) {
        TestElection started = newElection(settings);
        started.engine.start();
        return started;
    }

    private TestElection start(String name) {
        return start(Settings.onSharedBroker(group, name));
    }

    /** With a lease that is longer than a busy machine stalls. */
    private KafkaSettings patient(String name) {
        return Settings.withLease(Settings.onSharedBroker(group, name), Duration.ofMinutes(1));
    }

    @AfterEach
    void end() {
        all.forEach(TestElection::close);
    }

    @Test
    void a_reader_held_up_by_the_wall_clock_is_woken_and_the_leader_fenced() {
        TestElection member = start("member");
        long token = member.awaitLead();
        ControlledClients.Control reader = member.clients.reader();
        int woken = reader.wakeups.get();
        AtomicReference<OptionalLong> led = new AtomicReference<>();
        member.listener = event -> {
            if (event instanceof LeaderFenced) {
                led.set(member.engine.leads(0));
                reader.release(); // a reader that hangs for long would be replaced
            }
        };

        reader.pollsOnlyEndWhenWoken();

        assertThat(member.awaitFenced())
                .isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED));
        eventually().until(() -> led.get() != null);
        assertThat(led.get()).isEmpty();
        eventually().untilAsserted(() -> assertThat(reader.wakeups).hasValueGreaterThan(woken));
        assertThat(member.awaitLead()).isGreaterThan(token);
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Test
    void a_wall_clock_set_forward_ends_the_lease() {
        TestElection member = start("member");
        long token = member.awaitLead();

        member.clock.setWallClock(Duration.ofHours(1));

        assertThat(member.engine.leads(0).orElse(Term.NONE)).isNotEqualTo(token);
        assertThat(member.awaitFenced())
                .isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED));
        assertThat(member.awaitLead()).isGreaterThan(token);
    }

    @Test
    void a_wall_clock_set_back_changes_nothing() {
        TestElection member = start(patient("member"));
        long token = member.awaitLead();

        member.clock.setWallClock(Duration.ofHours(-1));

        member.awaitRenewal();
        member.awaitRenewal();
        assertThat(member.awaitLead()).isEqualTo(token);
        assertThat(member.events).hasSize(1);
    }

    @Tag("proof")
    @Test
    void a_leader_stays_one_while_its_group_client_is_replaced() {
        TestElection member = start(patient("member"));
        long token = member.awaitLead();
        for (Throwable failure :
                List.of(new KafkaException("meant to fail"), new NoClassDefFoundError("meant to fail"))) {
            eventually().until(() -> member.engine.state().plan() != null);
            int before = member.clients.groups.size();
            member.clients.group().failNextPoll(failure);
            eventually().until(() -> member.clients.groups.size() > before);
            eventually().until(() -> member.engine.problem().isEmpty());
            member.awaitRenewal();
        }
        assertThat(member.awaitLead()).isEqualTo(token);
        assertThat(member.events).hasSize(1);
    }

    @Tag("proof")
    @Test
    void an_abandoned_member_is_followed_by_one_of_the_same_name_that_reports_it() {
        TestElection abandoned = start("pod-1");
        long token = abandoned.awaitLead();
        eventually().until(() -> abandoned.engine.state().plan() != null);
        abandoned.clients.reader().freeze();

        TestElection next = start(patient("pod-1"));
        assertThat(next.awaitLead()).isGreaterThan(token);
        assertThat(abandoned.engine.leads(0)).isEmpty();
        next.awaitProblem("neli.name is 'pod-1'", "another live member");

        abandoned.clients.reader().release();
        // The clocks fence it, or the claim that it reads at last: whichever it sees first.
        assertThat(abandoned.awaitFenced().reason()).isIn(FenceReason.LEASE_EXPIRED, FenceReason.SUPERSEDED);
        eventually().until(() -> abandoned.engine.leader(0).equals(next.engine.leader(0)));
        abandoned.engine.close();
        eventually().until(() -> next.engine.problem().isEmpty());
        assertThat(next.events).hasSize(1);
    }

    @Tag("proof")
    @Test
    void records_deleted_under_the_reader_are_a_gap() {
        TestElection member = start(patient("member"));
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
        assertThat(member.engine.isRunning()).isTrue();
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Tag("proof")
    @Test
    void a_partition_that_cannot_be_opened_again_does_not_hold_up_the_others() {
        TestElection member = start(Settings.withPartitions(patient("member"), 2));
        long token = member.awaitLead();
        eventually().until(() -> member.engine.leads(1).isPresent());
        ControlledClients.Control reader = member.clients.reader();
        member.clients.unreachable.add(1);
        for (int tries = 0; tries < 20 && !member.isFenced(); tries++) {
            reader.freeze();
            eventually().until(reader::isHeld);
            long before = member.position(1);
            TestBroker.shared().append(member.settings.shell().topic(), 1, new byte[] {1}, null, List.of());
            TestBroker.shared().append(member.settings.shell().topic(), 1, new byte[] {1}, null, List.of());
            TestBroker.shared().deleteRecords(member.settings.shell().topic(), 1, -1);
            reader.release();
            eventually().until(() -> member.isFenced() || member.position(1) >= before + 2);
        }
        assertThat(member.awaitFenced().reason()).isEqualTo(FenceReason.LOG_GAP);
        eventually().until(() -> member.clients.openings.get() > 2);
        member.letLeasePass(0);
        assertThat(member.engine.leads(1)).isEmpty();
        member.awaitProblem("its partitions [1] cannot be read");
        assertThat(member.engine.logProblem().isPresent()).isFalse();

        member.clients.unreachable.clear();
        eventually().until(() -> member.engine.state().partitions().get(1).isOpen(0));
        member.letLeasePass(0); // the one that a record before the gap may have granted
        eventually().until(() -> member.engine.leads(1).isPresent());
        assertThat(member.awaitLead()).isEqualTo(token);
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
        eventually().until(() -> member.engine.problem().isEmpty());
    }

    @Tag("proof")
    @Test
    void a_topic_that_was_created_again_and_has_grown_past_the_readers_position_is_noticed() {
        TestBroker broker = TestBroker.shared();
        TestElection observer = newElection(Settings.asObserver(Settings.onSharedBroker(group, "observer")));
        String topic = observer.settings.shell().topic();
        broker.create(topic, 1, Map.of());
        broker.append(topic, new byte[] {1}, null, List.of());
        observer.engine.start();
        eventually().until(() -> observer.position() == 1);
        int before = observer.clients.readers.size();
        ControlledClients.Control reader = observer.clients.reader();
        reader.freeze();
        eventually().until(reader::isHeld);

        broker.delete(topic);
        broker.create(topic, 1, Map.of());
        broker.append(topic, new byte[] {1}, null, List.of());
        broker.append(topic, new byte[] {1}, null, List.of());
        reader.release();

        eventually().until(() -> observer.clients.readers.size() > before && observer.position() == 2);
        eventually().until(() -> observer.engine.problem().isEmpty());
    }

    @Test
    void a_log_that_cannot_be_read_is_tried_again_with_growing_delay() {
        TestElection member = newElection(Settings.onSharedBroker(group, "member"));
        TestBroker.shared().create(member.settings.shell().topic(), 1, Map.of());
        TestBroker.shared().forbid(member.settings.shell().topic(), AclOperation.READ);
        long start = System.nanoTime();
        member.engine.start();
        eventually().until(() -> member.clients.readers.size() > 5);

        // 50, 100, 200, 400 and 800 ms
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1550));
        TestBroker.shared().allow(member.settings.shell().topic());
        member.awaitLead();
    }

    @Test
    void close_does_not_wait_for_a_log_that_cannot_be_opened() {
        TestElection member = newElection(patient("member"));
        member.clients.holdConnecting = true;
        member.engine.start();
        eventually().until(() -> member.clients.heldConnecting.get() > 0);

        long start = System.nanoTime();
        member.engine.close();

        // Uninterrupted it would have taken the handover timeout and a lease.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(member.settings.shell().election().leaseDuration());
    }
}
