package io.neli.internal.election;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The format of records in the log: the key is the group id, the value is empty, and the fields are headers in plain
 * text, so that any console can show them. Unknown headers are ignored. In a record of another version or an unknown
 * type, only the token and the leases are read, so {@code token}, {@code lease-ms} and {@code longest-lease-ms} never
 * change their names.
 */
public final class RecordCodec {

    private static final String VERSION = "neli";
    private static final String THIS_VERSION = "1";
    private static final String TYPE = "type";
    private static final String MEMBER = "member";
    private static final String INCARNATION = "incarnation";
    private static final String SEQUENCE = "sequence";
    private static final String LEASE = "lease-ms";
    private static final String LONGEST_LEASE = "longest-lease-ms";
    private static final String TOKEN = "token";
    private static final String TERM = "term";
    private static final String LEADING = "leading";
    private static final String UP_TO = "up-to";
    private static final String GROUP_CONFIG = "group-config";
    private static final String ROLE = "role";
    private static final String METADATA = "metadata.";
    private static final String SUCCESSOR = "successor";
    private static final String LOG_READ = "log-read";
    private static final String LOG_ID = "log-id";
    private static final String LOG_SET = "log-set";
    private static final String LOG_SET_COMPLETE = "log-set-complete";

    private static final String CLAIM = "claim";
    private static final String HEARTBEAT = "heartbeat";
    private static final String RESIGN = "resign";
    private static final String BID = "bid";
    private static final String HELLO = "hello";
    private static final Set<String> TYPES = Set.of(CLAIM, HEARTBEAT, RESIGN, BID, HELLO);

    /** The longest name of a member, and the longest header value except metadata, in bytes. */
    public static final int LONGEST_NAME = 249;

    /** Larger than any clock will reach, in milliseconds, and exact even as a double. */
    static final long LARGEST_TOKEN = (1L << 53) - 1;

    private final byte[] key;

    public RecordCodec(String groupId) {
        this.key = bytes(groupId);
    }

    public byte[] key() {
        return key.clone();
    }

    /** The headers of the record, in a stable order. */
    public Map<String, byte[]> encode(LogRecord record) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        headers.put(VERSION, bytes(THIS_VERSION));
        if (record instanceof LogRecord.Claim claim) {
            headers.put(TYPE, bytes(CLAIM));
            putGrant(headers, claim.grant());
        } else if (record instanceof LogRecord.Heartbeat heartbeat) {
            headers.put(TYPE, bytes(HEARTBEAT));
            putGrant(headers, heartbeat.grant());
            headers.put(TERM, bytes(heartbeat.term()));
            headers.put(LEADING, bytes(Boolean.toString(heartbeat.leading())));
            headers.put(UP_TO, bytes(heartbeat.upTo()));
            if (heartbeat.mark() != null) {
                putMark(headers, heartbeat.mark());
            }
        } else if (record instanceof LogRecord.Resign resign) {
            headers.put(TYPE, bytes(RESIGN));
            headers.put(TERM, bytes(resign.term()));
            if (resign.successor() != null) {
                headers.put(SUCCESSOR, bytes(resign.successor().toString()));
            }
        } else if (record instanceof LogRecord.Bid bid) {
            headers.put(TYPE, bytes(BID));
            headers.put(TERM, bytes(bid.term()));
        } else if (record instanceof LogRecord.Hello) {
            headers.put(TYPE, bytes(HELLO));
        }
        headers.put(MEMBER, bytes(record.member().name()));
        headers.put(INCARNATION, bytes(record.member().incarnation().toString()));
        headers.put(TOKEN, bytes(record.sender().token()));
        headers.put(LONGEST_LEASE, bytes(record.sender().longestLease().toMillis()));
        return headers;
    }

    private static void putGrant(Map<String, byte[]> headers, LogRecord.Grant grant) {
        headers.put(SEQUENCE, bytes(grant.sequence()));
        headers.put(LEASE, bytes(grant.lease().toMillis()));
        headers.put(GROUP_CONFIG, bytes(grant.config().group()));
        if (grant.config().role() != null) {
            headers.put(ROLE, bytes(grant.config().role()));
        }
        grant.metadata().forEach((name, value) -> headers.put(METADATA + name, bytes(value)));
    }

    private static void putMark(Map<String, byte[]> headers, LogRecord.Mark mark) {
        headers.put(
                LOG_READ, bytes(mark.lastRead().offset() + "/" + mark.lastRead().sequence()));
        headers.put(LOG_ID, bytes(hex(mark.identity().id())));
        LogSet logSet = mark.identity().logSet();
        if (logSet != null) {
            String ids = logSet.identities().stream().map(RecordCodec::hex).collect(Collectors.joining("/"));
            headers.put(LOG_SET, bytes(logSet.token() + "/" + logSet.change() + "/" + ids));
            headers.put(LOG_SET_COMPLETE, bytes(Boolean.toString(logSet.complete())));
        }
    }

    private static String hex(long number) {
        return String.format("%016x", number);
    }

    /** Decodes a record of any origin. Never throws. */
    public Decoded decode(byte @Nullable [] recordKey, Map<String, byte[]> headers) {
        byte[] version = headers.get(VERSION);
        if (version == null || !Arrays.equals(key, recordKey)) {
            return new Decoded.Unreadable(false);
        }
        Fields fields = new Fields(headers);
        byte[] type = headers.get(TYPE);
        if (!Arrays.equals(version, bytes(THIS_VERSION)) || (type != null && !TYPES.contains(text(type)))) {
            return new Decoded.Newer(fields.anyLease(), fields.anyNumber(TOKEN, LARGEST_TOKEN));
        }
        try {
            return decode(fields);
        } catch (IllegalArgumentException e) {
            return new Decoded.Unreadable(false);
        }
    }

    private static LogRecord decode(Fields fields) {
        LogRecord.Sender sender = fields.sender();
        return switch (fields.text(TYPE)) {
            case CLAIM -> new LogRecord.Claim(sender, fields.grant());
            case HEARTBEAT ->
                new LogRecord.Heartbeat(
                        sender,
                        fields.grant(),
                        fields.number(TERM),
                        fields.bool(LEADING),
                        fields.number(UP_TO),
                        fields.mark());
            case RESIGN -> new LogRecord.Resign(sender, fields.number(TERM), fields.successor());
            case BID -> new LogRecord.Bid(sender, fields.number(TERM, Term.NONE, Long.MAX_VALUE));
            case HELLO -> new LogRecord.Hello(sender);
            default -> throw new Malformed();
        };
    }

    /** Has no stack trace: thousands of records a second may be malformed, and traces would take most of the time. */
    private static final class Malformed extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Reads headers; throws IllegalArgumentException if one is missing or cannot be parsed. */
    private record Fields(Map<String, byte[]> headers) {

        String text(String name) {
            byte[] value = headers.get(name);
            if (value == null || value.length == 0 || value.length > LONGEST_NAME) {
                throw new Malformed();
            }
            return RecordCodec.text(value);
        }

        long number(String name) {
            return number(name, 0, Long.MAX_VALUE);
        }

        long number(String name, long least, long most) {
            return parse(text(name), least, most);
        }

        private static long parse(String text, long least, long most) {
            for (int i = text.startsWith("-") ? 1 : 0; i < text.length(); i++) {
                if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                    throw new Malformed();
                }
            }
            long number = Long.parseLong(text);
            if (number < least || number > most) {
                throw new Malformed();
            }
            return number;
        }

        boolean bool(String name) {
            return switch (text(name)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new Malformed();
            };
        }

        LogRecord.Sender sender() {
            MemberId member = new MemberId(text(MEMBER), UUID.fromString(text(INCARNATION)));
            return new LogRecord.Sender(member, number(TOKEN, 0, LARGEST_TOKEN), lease(LONGEST_LEASE));
        }

        LogRecord.Grant grant() {
            PartitionConfig config =
                    new PartitionConfig(text(GROUP_CONFIG), headers.containsKey(ROLE) ? text(ROLE) : null);
            return new LogRecord.Grant(number(SEQUENCE), lease(LEASE), config, metadata());
        }

        Duration lease(String name) {
            return Duration.ofMillis(number(name, 1, ElectionSettings.LONGEST_LEASE.toMillis()));
        }

        /** The longest lease that a record of another version names, at most the longest there is; zero if none. */
        Duration anyLease() {
            long longest = Math.max(anyNumber(LEASE, Long.MAX_VALUE), anyNumber(LONGEST_LEASE, Long.MAX_VALUE));
            return Duration.ofMillis(Math.min(longest, ElectionSettings.LONGEST_LEASE.toMillis()));
        }

        /** Zero if it is missing: if it is there, it is a number in every version. */
        long anyNumber(String name, long most) {
            try {
                return number(name, 0, most);
            } catch (IllegalArgumentException e) {
                return 0;
            }
        }

        /** Empty if it is longer than this version allows. The record counts even so, because it may grant a lease. */
        Map<String, String> metadata() {
            Map<String, String> metadata = new HashMap<>();
            int size = 0;
            for (Map.Entry<String, byte[]> header : headers.entrySet()) {
                if (header.getKey().startsWith(METADATA) && header.getValue() != null) {
                    String name = header.getKey().substring(METADATA.length());
                    size += bytes(name).length + header.getValue().length;
                    metadata.put(name, RecordCodec.text(header.getValue()));
                }
            }
            return size > ElectionSettings.LONGEST_METADATA ? Map.of() : metadata;
        }

        LogRecord.@Nullable Mark mark() {
            if (!headers.containsKey(LOG_READ)) {
                return null;
            }
            String[] read = parts(LOG_READ, 2);
            LogRecord.Written lastRead =
                    new LogRecord.Written(parse(read[0], 0, Long.MAX_VALUE), parse(read[1], 0, Long.MAX_VALUE));
            return new LogRecord.Mark(lastRead, new LogIdentity(Long.parseUnsignedLong(text(LOG_ID), 16), logSet()));
        }

        private String[] parts(String name, int least) {
            String[] parts = text(name).split("/", -1);
            if (parts.length < least) {
                throw new Malformed();
            }
            return parts;
        }

        private @Nullable LogSet logSet() {
            if (!headers.containsKey(LOG_SET)) {
                return null;
            }
            String[] parts = parts(LOG_SET, 3);
            List<Long> ids = Arrays.stream(parts, 2, parts.length)
                    .map(id -> Long.parseUnsignedLong(id, 16))
                    .toList();
            long token = parse(parts[0], 0, LARGEST_TOKEN);
            long change = parse(parts[1], 0, Long.MAX_VALUE);
            return new LogSet(token, change, ids, bool(LOG_SET_COMPLETE));
        }

        @Nullable
        MemberHash successor() {
            return headers.containsKey(SUCCESSOR) ? new MemberHash(Long.parseUnsignedLong(text(SUCCESSOR), 16)) : null;
        }
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }
}
