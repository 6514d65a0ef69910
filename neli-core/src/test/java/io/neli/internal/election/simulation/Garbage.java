package io.neli.internal.election.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;

/** Records that nobody sent: random ones, even in a member's name, and records with changed parts. */
final class Garbage {

    private static final List<String> TRICKY =
            List.of("", "-", "+1", "-1", "-0", "0", "1", "2", "01", "٣", "\0", "1e3", "true", "false", "claim", "bid");
    private static final List<Long> EXTREMES = List.of(
            -1L,
            0L,
            1L,
            600_000L,
            600_001L,
            (long) Integer.MAX_VALUE,
            Long.MAX_VALUE - 1,
            Long.MAX_VALUE,
            Long.MIN_VALUE);

    /** The largest token that a record may carry. */
    static final long MOST_TOKEN = (1L << 53) - 1;

    private final Chance chance;
    private final RecordCodec codec = new RecordCodec("group");
    private final List<MemberId> members;
    private final GroupConfig groupConfig;

    Garbage(Chance chance, List<MemberId> members, GroupConfig groupConfig) {
        this.chance = chance;
        this.members = members;
        this.groupConfig = groupConfig;
    }

    /** The next record of a log that ends at {@code end}, as the codec reads it. */
    Decoded next(long end, long term, List<LogRecord> written) {
        boolean copy = !written.isEmpty() && chance.happens(0.2);
        Map<String, byte[]> headers = codec.encode(copy ? chance.oneOf(written) : random(end, term));
        for (long changes = chance.oneOf(0L, 0L, 1L, 1L, 2L, 5L); changes > 0; changes--) {
            mutilate(headers);
        }
        byte[] key = chance.happens(0.02) ? bytes(chance.oneOf(TRICKY)) : codec.key();
        return codec.decode(key, headers);
    }

    private LogRecord random(long end, long term) {
        MemberId member = chance.oneOf(members);
        Duration lease = Duration.ofMillis(chance.oneOf(1L, 100L, 500L, 1_000L, 600_000L));
        long sequence = chance.between(0, 40);
        long about = chance.happens(0.6) ? Math.max(0, term) : Math.max(0, end - chance.between(-3, 20));
        long token = chance.oneOf(0L, 1L, 1_700_000_000_000L, MOST_TOKEN - 1_000);
        LogRecord.Sender sender = new LogRecord.Sender(member, token, lease);
        LogRecord.Grant grant = new LogRecord.Grant(sequence, lease, groupConfig.of(0), Map.of("url", "http://x"));
        return switch ((int) chance.between(0, 4)) {
            case 0 -> new LogRecord.Claim(sender, grant);
            case 1 ->
                new LogRecord.Heartbeat(
                        sender, grant, about, chance.happens(0.5), Math.max(0, end - chance.between(-2, 30)), null);
            case 2 ->
                new LogRecord.Resign(
                        sender,
                        about,
                        chance.happens(0.5) ? null : chance.oneOf(members).hash());
            default -> new LogRecord.Bid(sender, about);
        };
    }

    private void mutilate(Map<String, byte[]> headers) {
        List<String> names = new ArrayList<>(headers.keySet());
        if (names.isEmpty()) {
            return;
        }
        String name = chance.oneOf(names);
        switch ((int) chance.between(0, 6)) {
            case 0 -> headers.remove(name);
            case 1 -> headers.put(name, bytes(chance.oneOf(TRICKY)));
            case 2 -> headers.put(name, bytes(Long.toString(chance.oneOf(EXTREMES))));
            case 3 -> headers.put(name, headers.get(chance.oneOf(names)));
            case 4 -> headers.put(name, noise());
            default -> headers.put(name, withOneByteChanged(headers.get(name)));
        }
    }

    private byte[] noise() {
        byte[] bytes = new byte[(int) chance.oneOf(0L, 1L, 8L, 36L, 300L)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) chance.between(-128, 128);
        }
        return bytes;
    }

    private byte[] withOneByteChanged(byte[] value) {
        byte[] changed = value.clone();
        if (changed.length > 0) {
            changed[(int) chance.between(0, changed.length)] = (byte) chance.between(-128, 128);
        }
        return changed;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
