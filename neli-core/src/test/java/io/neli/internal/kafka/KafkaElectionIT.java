package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** What the shell makes of clocks and clients that fail it. */
class KafkaElectionIT {

    private final String group = TestBroker.unusedName("engine");
    private final List<TestElection> all = new ArrayList<>();

    private TestElection start(KafkaSettings settings) {
        TestElection started = TestElection.start(settings);
        all.add(started);
        return started;
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
        TestElection member = start(Settings.onSharedBroker(group, "member"));
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
        member.clock.skip(Settings.LEASE);

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

    @Test
    void close_does_not_wait_for_a_log_that_cannot_be_opened() {
        TestElection member = new TestElection(patient("member"));
        all.add(member);
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
