package io.neli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client writes records to a log that no codec produces, while three members run. Two never lead, and somebody leads
 * again. Each burst ends with a claim that all members must have read, because the next leader's token is larger.
 */
public abstract class LogFuzz {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final PartitionConfig CONFIG = new GroupConfig(Mode.EXCLUSIVE, List.of("default"), 1).of(0);
    private static final int BURST = 12;

    /** What a member's problem may say after such records. */
    private static final String NAMED =
            "(?s).*(newer version|copies records|two processes write as one member|cannot be read|cannot parse).*";

    protected static final List<String> ODD = List.of(
            "",
            " ",
            "\t",
            "Jürgen",
            "\u65e5\u672c",
            "\ud83d\ude00",
            "a: b",
            "a\r\nb: c",
            "\u0000",
            "-1",
            "%zz",
            "x".repeat(5_000));

    protected Random random = new Random(0);
    protected String group = "";
    protected RecordCodec codec = new RecordCodec("");
    private final List<TestMember> members = new ArrayList<>();

    /** Writes something. An exception of the servers or their client is ignored. */
    protected abstract void write(String topic) throws Exception;

    /** Called before the first record. */
    protected void begin(String topic) {}

    /** Writes what may be the last record of a log. */
    protected void end(String topic) throws Exception {}

    protected <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    protected byte[] noise(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The headers of a valid record by a member that does not exist. */
    protected Map<String, byte[]> headers() {
        MemberId stranger = new MemberId("stranger", UUID.randomUUID());
        return codec.encode(
                random.nextBoolean()
                        ? Records.bid(stranger, random.nextInt(100))
                        : Records.claim(stranger, 0, LEASE, CONFIG));
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void whatever_a_client_writes_never_two_lead_and_somebody_leads_again() throws Exception {
        run(1, 3);
    }

    @Tag("proof")
    @Test
    void whatever_else_a_client_writes() throws Exception {
        for (int seed = 2; seed < 12; seed++) {
            run(seed, 20);
        }
    }

    private void run(int seed, int bursts) throws Exception {
        random = new Random(seed);
        group = TestServers.unusedName("fuzz");
        codec = new RecordCodec(group);
        String topic = TestServers.get().topic(group);
        IntStream.range(0, 3)
                .forEach(each ->
                        members.add(TestMember.start(group, "m" + each, builder -> builder.leaseDuration(LEASE))));
        try (LeaderWatch watch = new LeaderWatch(members.toArray(TestMember[]::new))) {
            awaitLed(0);
            begin(topic);
            for (int burst = 0; burst < bursts; burst++) {
                for (int left = BURST; left > 0; left--) {
                    tryToWrite(topic);
                }
                ledAgain(topic);
            }
            watch.assertNeverTwo();
            for (TestMember member : members) {
                eventually().untilAsserted(() -> assertThat(
                                member.neli.snapshot().problem().orElse("a newer version"))
                        .as("seed %d", seed)
                        .matches(NAMED));
            }
        }
        members.forEach(member -> member.neli.close());
        end(topic);
        members.forEach(member -> member.neli.start());
        awaitLed(0);
        members.forEach(TestMember::close);
        members.clear();
    }

    private void tryToWrite(String topic) {
        try {
            write(topic);
        } catch (Exception e) {
            // refused
        }
    }

    /** Waits until somebody leads again, which takes the claim's lease. */
    private void ledAgain(String topic) {
        long token = Stream.concat(
                                members.stream().map(member -> member.neli
                                        .snapshot()
                                        .partitions()
                                        .get(0)
                                        .token()
                                        .orElse(0L)),
                                Stream.of(System.currentTimeMillis()))
                        .max(Long::compare)
                        .orElseThrow()
                + 1;
        MemberId last = new MemberId("last", UUID.randomUUID());
        TestServers.get().append(topic, codec.key(), null, codec.encode(Records.claim(last, 0, LEASE, CONFIG, token)));
        awaitLed(token);
    }

    private void awaitLed(long after) {
        eventually().until(() -> members.stream().anyMatch(member -> member.neli
                .leadership()
                .filter(led -> led.token() > after)
                .isPresent()));
    }
}
