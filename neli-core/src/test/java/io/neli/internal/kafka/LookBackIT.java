package io.neli.internal.kafka;

import java.util.Map;
import java.util.UUID;

import io.neli.TestServers;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** How far back a starting member reads. */
class LookBackIT {

    /** More than a member first reads. */
    private static final int RECORDS = 210;

    private final TestBroker broker = TestBroker.shared();
    private final KafkaSettings settings =
            Settings.asObserver(Settings.onSharedBroker(TestServers.unusedName("look-back"), "observer"));

    @Test
    void more_is_read_where_the_last_records_are_not_of_the_group() {
        RecordCodec codec = new RecordCodec(settings.shell().groupId());
        String topic = settings.shell().topic();
        MemberId former = new MemberId("former", UUID.randomUUID());
        broker.create(topic, 1, Map.of());
        broker.append(
                topic,
                codec.key(),
                null,
                codec.encode(Records.claim(former, 0, Settings.LEASE, Settings.GROUP_CONFIG)));
        for (int count = 0; count < RECORDS; count++) {
            broker.append(topic, new byte[] {1}, null, Map.of());
        }
        try (TestElection observer = TestElection.start(settings)) {
            eventually().until(() -> observer.driver.state().eligibility().ready());
            assertThat(observer.clients.usedReaders()).as("readers").hasSize(1);
            assertThat(observer.driver.state().partitions().get(0).term()).isNotNull();
        }
    }
}
