package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.TestServers;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A failing client costs leadership only if the log takes it away. */
class ClientFailureIT {

    /** Longer than a busy machine stalls for. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);

    private final String group = TestServers.unusedName("client-failure");
    private final List<TestElection> all = new ArrayList<>();

    private TestElection of(KafkaSettings settings) {
        TestElection member = new TestElection(settings);
        all.add(member);
        return member;
    }

    private TestElection start(KafkaSettings settings) {
        TestElection started = of(settings);
        started.start();
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
        long token = member.awaitLead(0);
        for (Throwable failure :
                List.of(new KafkaException("meant to fail"), new NoClassDefFoundError("meant to fail"))) {
            int before = member.clients.readers.size();
            member.clients.reader().failNextPoll(failure);
            eventually().until(() -> member.clients.readers.size() > before && member.isRunning());
            member.awaitRenewal(0);
            eventually().until(() -> member.problem().isEmpty());
        }
        assertThat(member.driver.leads(0)).hasValue(token);
        assertThat(member.events.all()).hasSize(1);
    }

    @Test
    void a_topic_created_again_while_the_clients_are_replaced_is_a_gap() {
        TestElection member = start(Settings.withLease(member(), LONG_LEASE));
        long token = member.awaitLead(0);
        member.clients.holdConnecting = true;
        member.clients.reader().failNextPoll(new KafkaException("meant to fail"));
        eventually().until(() -> member.clients.heldConnecting.get() > 0);
        createAgain(member.settings.shell().topic(), member.position(0));
        assertThat(member.driver.leads(0)).hasValue(token);

        member.clients.letConnect();

        assertThat(member.awaitFenced()).isEqualTo(new LeaderFenced("partition-0", 0, token, FenceReason.LOG_GAP));
    }

    /** Creates the topic again, with more records than before; otherwise, the client would notice. */
    private static void createAgain(String topic, long length) {
        Brokers broker = Brokers.shared();
        Uuid former = broker.describe(topic).topicId();
        broker.delete(topic);
        broker.create(topic, 1, Map.of());
        eventually()
                .ignoreExceptions()
                .until(() -> !broker.describe(topic).topicId().equals(former));
        for (long offset = 0; offset <= length; offset++) {
            broker.append(topic, new byte[] {1}, null, Map.of());
        }
    }

    /** Nothing may delay the end of a lease, and messages are still handled. */
    @Test
    void a_leader_is_fenced_on_time_while_its_clients_cannot_be_replaced() {
        TestElection member = start(Settings.withLease(member(), Settings.QUICK));
        long token = member.awaitLead(0);
        member.clients.holdConnecting = true;
        member.clients.reader().failNextPoll(new KafkaException("meant to fail"));
        eventually().until(() -> member.clients.heldConnecting.get() > 0);

        eventually().untilAsserted(() -> assertThat(member.events.all())
                .contains(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED)));
        assertThat(member.clients.heldConnecting).as("still connecting").hasValue(1);
        member.driver.pause(null, true);
        eventually().until(() -> member.driver.state().eligibility().restraint().paused());

        member.driver.pause(null, false);
        member.clients.letConnect();
        assertThat(member.awaitLead(0)).isGreaterThan(token);
    }

    @Test
    void a_log_that_has_lost_its_end_between_the_answer_and_the_first_read_is_opened_again() {
        TestElection member = of(Settings.withLease(member(), Settings.QUICK));
        member.clients.nextLoss.set(150);
        member.start();
        member.awaitLead(0);
        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
    }

    @Test
    void a_partition_that_cannot_be_reached_at_the_start_keeps_the_member_out_of_no_other() {
        TestElection member = of(Settings.withLease(Settings.withPartitions(member(), 3), LONG_LEASE));
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
    void more_is_read_further_back_by_the_same_reader_where_the_last_records_are_not_of_the_group() {
        KafkaSettings observer = Settings.asObserver(member());
        RecordCodec codec = new RecordCodec(group);
        String topic = observer.shell().topic();
        Brokers broker = Brokers.shared();
        broker.create(topic, 1, Map.of());
        MemberId former = new MemberId("former", UUID.randomUUID());
        broker.append(
                topic,
                codec.key(),
                null,
                codec.encode(Records.claim(former, 0, Settings.LEASE, Settings.GROUP_CONFIG.of(0))));
        for (int count = 0; count < 210; count++) { // more than a member first reads
            broker.append(topic, new byte[] {1}, null, Map.of());
        }

        TestElection member = start(observer);
        eventually().until(() -> member.driver.state().eligibility().ready());

        assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
        assertThat(member.driver.state().partitions().get(0).term()).isNotNull();
    }
}
