package io.neli.internal.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import io.neli.internal.election.Term;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** How far back a member reads that starts. */
class LookBackIT {

    /** More than a member reads at first. */
    private static final int RECORDS = 210;

    private final TestBroker broker = TestBroker.shared();
    private final KafkaSettings settings =
            Settings.asObserver(Settings.onSharedBroker(TestBroker.unusedName("look-back"), "observer"));
    private final RecordCodec codec = new RecordCodec(settings.shell().groupId());
    private final MemberId former = new MemberId("former", UUID.randomUUID());

    @BeforeEach
    void begin() {
        broker.create(settings.shell().topic(), 1, Map.of());
        append(Records.claim(former, 0, Settings.LEASE, Settings.GROUP_CONFIG));
    }

    private void append(LogRecord record) {
        List<Header> headers = new ArrayList<>();
        codec.encode(record).forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        broker.append(settings.shell().topic(), codec.key(), null, headers);
    }

    private @Nullable Term awaitTerm() {
        try (TestElection observer = TestElection.start(settings)) {
            eventually().until(() -> observer.driver.state().eligibility().ready());
            assertThat(observer.clients.usedReaders()).as("readers").hasSize(1);
            return observer.driver.state().partitions().get(0).term();
        }
    }

    @Test
    void the_last_records_tell_of_the_term_where_its_leader_writes() {
        for (long offset = 1; offset < RECORDS; offset++) {
            append(Records.heartbeat(former, offset, Settings.LEASE, Settings.GROUP_CONFIG, 0, true, offset));
        }
        assertThat(awaitTerm()).isNotNull();
    }

    @Test
    void more_is_read_where_the_last_records_are_not_of_the_group() {
        for (int count = 0; count < RECORDS; count++) {
            broker.append(settings.shell().topic(), new byte[] {1}, null, List.of());
        }
        assertThat(awaitTerm()).isNotNull();
    }
}
