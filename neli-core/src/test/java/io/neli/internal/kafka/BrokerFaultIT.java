package io.neli.internal.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

import io.neli.TestServers;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.MemberClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A fault of one partition concerns only that partition. */
@Tag("proof")
class BrokerFaultIT {

    /** Where a batch of Kafka's format has its length and its magic number. */
    private static final int LENGTH_AT = 8;

    private static final int MAGIC_AT = 16;
    private static final int OVERHEAD = 12;

    private static final int RECORDS = 5;

    private static KafkaSettings member() {
        KafkaSettings one = Settings.onSharedBroker(TestServers.unusedName("broker-fault"), "member");
        KafkaSettings two = Settings.withPartitions(one, 2);
        return Settings.withLease(two, Duration.ofMinutes(1)); // longer than a busy machine stalls for
    }

    @Test
    void a_corrupt_batch_is_skipped() throws InterruptedException {
        corrupts(MAGIC_AT + 40); // so its checksum is wrong
    }

    /** Not even the broker can read it. */
    @Test
    void a_batch_with_a_corrupt_header_is_skipped() throws InterruptedException {
        corrupts(MAGIC_AT);
    }

    private static void corrupts(int at) throws InterruptedException {
        Brokers broker = Brokers.shared();
        KafkaSettings settings = member();
        broker.create(settings.shell().topic(), 2, Map.of());
        for (int count = 0; count < RECORDS; count++) {
            broker.append(settings.shell().topic(), new byte[] {1}, new byte[100], Map.of());
        }
        broker.restart(logs -> corruptThird(logs.resolve(settings.shell().topic() + "-0"), at));
        try (TestElection member = new TestElection(settings)) {
            member.start();
            member.awaitLead(1);
            eventually().until(() -> member.position(0) >= RECORDS);
            member.letLeasePass(1); // the lease that a skipped record may have granted
            long token = member.awaitLead(0);
            member.awaitRenewal(0);
            assertThat(member.driver.leads(0)).hasValue(token);
            assertThat(member.position(0)).isGreaterThan(RECORDS);
            assertThat(member.isFenced()).isFalse();
            assertThat(member.clients.usedReaders()).as("readers").hasSize(1);
            assertThat(new KafkaHistory(settings, MemberClock.system()).read(0, 0))
                    .last()
                    .extracting(PastTerm::token)
                    .isEqualTo(token);
        }
    }

    private static void corruptThird(Path log, int at) {
        Path segment = log.resolve("00000000000000000000.log");
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long batch = 0;
            for (int count = 0; count < 2; count++) {
                ByteBuffer length = ByteBuffer.allocate(4);
                file.read(length, batch + LENGTH_AT);
                batch += OVERHEAD + length.getInt(0);
            }
            file.write(ByteBuffer.wrap(new byte[] {99, 99, 99, 99}), batch + at);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
