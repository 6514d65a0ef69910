package io.neli.internal.election;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/**
 * The format of records in the log: the key is the group id, the value is empty, and the fields are headers in plain text, so
 * that any console can show them. Unknown headers are ignored; records of an unknown version are not read.
 */
public final class RecordCodec {

    private static final String VERSION = "neli";
    private static final String THIS_VERSION = "1";
    private static final String TYPE = "type";
    private static final String MEMBER = "member";
    private static final String INCARNATION = "incarnation";
    private static final String SEQUENCE = "sequence";
    private static final String LEASE = "lease-ms";
    private static final String TERM = "term";
    private static final String LEADING = "leading";
    private static final String UP_TO = "up-to";
    private static final String MODE = "mode";
    private static final String PARTITIONS = "partitions";
    private static final String ROLES = "roles";

    private static final String CLAIM = "claim";
    private static final String HEARTBEAT = "heartbeat";
    private static final String RESIGN = "resign";
    private static final String BID = "bid";

    /** The longest name of a member, which is also the longest header, in bytes. */
    public static final int LONGEST_NAME = 249;

    private final byte[] key;

    public RecordCodec(String groupId) {
        this.key = bytes(groupId);
    }

    /** The key of the group's records. */
    public byte[] key() {
        return key.clone();
    }

    /** The headers of the record, in a stable order. */
    public Map<String, byte[]> encode(LogRecord record) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        headers.put(VERSION, bytes(THIS_VERSION));
        if (record instanceof LogRecord.Claim claim) {
            headers.put(TYPE, bytes(CLAIM));
            putLease(headers, claim);
            headers.put(MODE, bytes(claim.groupConfig().mode().name().toLowerCase(Locale.ROOT)));
            headers.put(PARTITIONS, bytes(claim.groupConfig().partitions()));
            headers.put(ROLES, bytes(claim.groupConfig().roles()));
        } else if (record instanceof LogRecord.Heartbeat heartbeat) {
            headers.put(TYPE, bytes(HEARTBEAT));
            putLease(headers, heartbeat);
            headers.put(TERM, bytes(heartbeat.term()));
            headers.put(LEADING, bytes(Boolean.toString(heartbeat.leading())));
            headers.put(UP_TO, bytes(heartbeat.upTo()));
        } else if (record instanceof LogRecord.Resign resign) {
            headers.put(TYPE, bytes(RESIGN));
            headers.put(TERM, bytes(resign.term()));
        } else if (record instanceof LogRecord.Bid bid) {
            headers.put(TYPE, bytes(BID));
            headers.put(TERM, bytes(bid.term()));
        }
        headers.put(MEMBER, bytes(record.member().name()));
        headers.put(INCARNATION, bytes(record.member().incarnation().toString()));
        return headers;
    }

    private static void putLease(Map<String, byte[]> headers, LogRecord.Leasing record) {
        headers.put(SEQUENCE, bytes(record.sequence()));
        headers.put(LEASE, bytes(record.lease().toMillis()));
    }

    /** The record, or why it is ignored. Never throws. */
    public Decoded decode(byte @Nullable [] recordKey, Map<String, byte[]> headers) {
        if (!Arrays.equals(key, recordKey)) {
            return new Decoded.Unreadable(IgnoredRecord.FOREIGN_KEY);
        }
        byte[] version = headers.get(VERSION);
        if (version == null) {
            return new Decoded.Unreadable(IgnoredRecord.NOT_NELI);
        }
        if (!Arrays.equals(version, bytes(THIS_VERSION))) {
            return new Decoded.Unreadable(IgnoredRecord.UNKNOWN_VERSION);
        }
        try {
            return decode(new Fields(headers));
        } catch (IllegalArgumentException e) {
            return new Decoded.Unreadable(IgnoredRecord.MALFORMED);
        }
    }

    private static LogRecord decode(Fields fields) {
        MemberId member = new MemberId(fields.text(MEMBER), UUID.fromString(fields.text(INCARNATION)));
        return switch (fields.text(TYPE)) {
            case CLAIM -> new LogRecord.Claim(member, fields.number(SEQUENCE), fields.lease(), fields.groupConfig());
            case HEARTBEAT ->
                new LogRecord.Heartbeat(
                        member,
                        fields.number(SEQUENCE),
                        fields.lease(),
                        fields.number(TERM),
                        fields.bool(LEADING),
                        fields.number(UP_TO));
            case RESIGN -> new LogRecord.Resign(member, fields.number(TERM));
            case BID -> new LogRecord.Bid(member, fields.numberAtLeast(Term.NONE, TERM));
            default -> throw new IllegalArgumentException("unknown type");
        };
    }

    /** Reads headers; throws IllegalArgumentException if one is missing or cannot be parsed. */
    private record Fields(Map<String, byte[]> headers) {

        String text(String name) {
            byte[] value = headers.get(name);
            if (value == null || value.length == 0 || value.length > LONGEST_NAME) {
                throw new IllegalArgumentException(name);
            }
            return new String(value, StandardCharsets.UTF_8);
        }

        long numberAtLeast(long least, String name) {
            long number = Long.parseLong(text(name));
            if (number < least) {
                throw new IllegalArgumentException(name);
            }
            return number;
        }

        long number(String name) {
            return numberAtLeast(0, name);
        }

        boolean bool(String name) {
            return switch (text(name)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException(name);
            };
        }

        Duration lease() {
            long millis = numberAtLeast(1, LEASE);
            if (millis > ElectionSettings.LONGEST_LEASE.toMillis()) {
                throw new IllegalArgumentException(LEASE);
            }
            return Duration.ofMillis(millis);
        }

        GroupConfig groupConfig() {
            int partitions = (int) Math.min(number(PARTITIONS), Integer.MAX_VALUE);
            return new GroupConfig(Mode.valueOf(text(MODE).toUpperCase(Locale.ROOT)), partitions, text(ROLES));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }
}
