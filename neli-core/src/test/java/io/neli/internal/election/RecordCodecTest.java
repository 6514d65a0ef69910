package io.neli.internal.election;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecordCodecTest {

    private static final MemberId MEMBER = new MemberId("größe-1", new UUID(-1, 42));
    private static final Duration LEASE = Duration.ofMillis(3_000);

    private static final Set<String> OPTIONAL = Set.of("role", "successor", "log-read", "log-set");

    /** The longest identity: five logs. */
    private static final LogIdentity LONGEST = new LogIdentity(
            -1, new LogSet(RecordCodec.LARGEST_TOKEN, Long.MAX_VALUE, List.of(-1L, -2L, 0L, 1L, -5L), true));

    private final RecordCodec codec = new RecordCodec("billing");

    static List<LogRecord> records() {
        PartitionConfig longest = new GroupConfig(Mode.NON_EXCLUSIVE, GroupConfig.MOST_PARTITIONS, "f00", 1).of(0);
        return List.of(
                Records.claim(MEMBER, 0, LEASE, new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1).of(0)),
                Records.claim(MEMBER, 7, LEASE, longest),
                Records.heartbeat(MEMBER, Long.MAX_VALUE, Duration.ofMillis(1), 0, true, Long.MAX_VALUE),
                Records.heartbeat(MEMBER, 1, ElectionSettings.LONGEST_LEASE, 99, false, 0),
                marked(new LogIdentity(1, null)),
                marked(new LogIdentity(-1, new LogSet(1, 0, List.of(1L, 2L, 3L), false))),
                marked(LONGEST),
                new LogRecord.Claim(
                        new LogRecord.Sender(MEMBER, RecordCodec.LARGEST_TOKEN, ElectionSettings.LONGEST_LEASE),
                        new LogRecord.Grant(
                                1,
                                LEASE,
                                new PartitionConfig("g", "Mahnläufe"),
                                Map.of("url", "http://a:80/ä", "zone", ""))),
                Records.resign(MEMBER, 12),
                new LogRecord.Resign(
                        new LogRecord.Sender(MEMBER, 0, LEASE), 12, new MemberHash(0x8000_0000_0000_0001L)),
                new LogRecord.Hello(new LogRecord.Sender(MEMBER, 0, LEASE)),
                Records.bid(MEMBER, Term.NONE),
                Records.bid(MEMBER, 12));
    }

    private static LogRecord.Heartbeat marked(LogIdentity identity) {
        LogRecord.Heartbeat beat = Records.heartbeat(MEMBER, 1, LEASE, 99, true, 120);
        return new LogRecord.Heartbeat(
                beat.sender(),
                beat.grant(),
                beat.term(),
                beat.leading(),
                beat.upTo(),
                new LogRecord.Mark(new LogRecord.Written(119, 7), identity));
    }

    private Decoded decode(Map<String, byte[]> headers) {
        return codec.decode(bytes("billing"), headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final Decoded UNREADABLE = new Decoded.Unreadable(false);

    /** The record's headers with one replaced. */
    private Map<String, byte[]> with(LogRecord record, String header, String value) {
        Map<String, byte[]> headers = codec.encode(record);
        headers.put(header, bytes(value));
        return headers;
    }

    @ParameterizedTest
    @MethodSource("records")
    void what_is_written_is_read_again_and_headers_that_this_version_does_not_know_are_passed_over(LogRecord record) {
        assertThat(decode(with(record, "traceparent", "00-1-2-01"))).isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("records")
    void a_record_without_any_one_of_its_headers_or_with_an_empty_or_huge_one_is_malformed(LogRecord record) {
        List<String> required = codec.encode(record).keySet().stream()
                .filter(header -> !header.startsWith("metadata.") && !OPTIONAL.contains(header))
                .toList();
        for (String header : required) {
            Map<String, byte @Nullable []> headers = new HashMap<>(codec.encode(record));
            headers.put(header, null);
            assertThat(decode(headers)).isInstanceOf(Decoded.Unreadable.class);
            headers.remove(header);
            assertThat(decode(headers)).as("without %s", header).isEqualTo(UNREADABLE);

            boolean newer = header.equals("neli") || header.equals("type");
            Class<?> expected = newer ? Decoded.Newer.class : Decoded.Unreadable.class;
            assertThat(decode(with(record, header, ""))).isInstanceOf(expected);
            assertThat(decode(with(record, header, "1".repeat(10_000)))).isInstanceOf(expected);
        }
    }

    @Test
    void a_record_of_another_group_is_foreign_whatever_it_says() {
        Map<String, byte[]> headers = codec.encode(Records.resign(MEMBER, 1));

        assertThat(codec.decode(bytes("billing2"), headers)).isEqualTo(UNREADABLE);
        assertThat(codec.decode(null, headers)).isEqualTo(UNREADABLE);
        assertThat(codec.decode(new byte[0], Map.of())).isEqualTo(UNREADABLE);
    }

    @ParameterizedTest
    @CsvSource({"neli, 2", "neli, 0", "neli, 1.0", "neli, 01", "neli, one", "type, coup", "type, CLAIM", "type, ''"})
    void of_another_version_or_an_unknown_type_only_the_leases_are_read(String header, String value) {
        assertThat(decode(with(records().get(0), header, value))).isEqualTo(new Decoded.Newer(LEASE, Records.TOKEN));
    }

    @ParameterizedTest
    @CsvSource({"5, 70, 9, 70, 9", "3s, , , 0, 0", "3600000, , , 600000, 0"})
    void the_longest_lease_counts_that_another_version_names_as_far_as_it_can_be(
            String lease, @Nullable String longest, @Nullable String token, long counted, long countedToken) {
        Map<String, byte[]> headers = new HashMap<>(Map.of("neli", bytes("2"), "lease-ms", bytes(lease)));
        if (longest != null && token != null) {
            headers.put("longest-lease-ms", bytes(longest));
            headers.put("token", bytes(token));
        }
        assertThat(decode(headers)).isEqualTo(new Decoded.Newer(Duration.ofMillis(counted), countedToken));
    }

    @Test
    void metadata_that_is_too_long_is_left_out_and_the_record_counts() {
        String longest = "v".repeat(255);
        assertThat(decode(with(records().get(0), "metadata.k", longest)))
                .isInstanceOfSatisfying(
                        LogRecord.Claim.class,
                        claim -> assertThat(claim.grant().metadata()).containsEntry("k", longest));
        assertThat(decode(with(records().get(0), "metadata.k", longest + "v")))
                .isEqualTo(records().get(0));
    }

    @ParameterizedTest
    @CsvSource({
        "claim, incarnation, not-a-uuid; 00000000-0000-0000-0000-00000000000000001",
        "claim, sequence, -1; 1e3; 9223372036854775808",
        "claim, lease-ms, 0; -3000; 600001; 9223372036854775807; 3s",
        "claim, token, -1; 9007199254740992",
        "claim, longest-lease-ms, 0; 600001",
        "heartbeat, term, -1",
        "heartbeat, leading, yes; TRUE",
        "heartbeat, up-to, -1; x",
        "heartbeat, lease-ms, 0",
        "heartbeat, log-set, 1/2; 1/-2/3; 1/99999999999999999999/3; 9007199254740992/0/1/2/3; 1/0/1//3; 1/0/g",
        "resign, term, -1", // only a bid may name no term
        "bid, term, -2",
    })
    void a_record_with_an_absurd_value_is_malformed(String type, String header, String values) {
        LogRecord record =
                switch (type) {
                    case "claim" -> records().get(0);
                    case "heartbeat" -> marked(LONGEST);
                    case "resign" -> Records.resign(MEMBER, 1);
                    default -> Records.bid(MEMBER, 1);
                };
        for (String value : values.split("; ")) {
            assertThat(decode(with(record, header, value))).as(value).isEqualTo(UNREADABLE);
        }
    }

    @Test
    void the_key_is_the_group_and_cannot_be_changed_from_outside() {
        codec.key()[0] = 0;

        assertThat(codec.key()).isEqualTo(bytes("billing"));
    }
}
