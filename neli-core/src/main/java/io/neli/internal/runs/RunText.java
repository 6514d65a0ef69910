package io.neli.internal.runs;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The format of run records: text with a line for each field, so that humans can read it too. Unknown fields are
 * ignored, because a newer version may write them. Text that is no record is parsed as empty.
 */
public final class RunText {

    private static final String BETWEEN = ": ";
    private static final int LONGEST = 10_000;

    /** The latest time that is accepted. Schedules can still compute later times from it. */
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private RunText() {}

    /**
     * The key in one line. It begins with the group, because groups may share a topic and have jobs of the same name.
     * The job comes last, because its name may contain spaces.
     */
    public static String key(String group, RunKey key) {
        return withoutSpaces(group) + " " + key.token() + " " + key.attempt() + " " + key.job();
    }

    /** Empty also if it is a key of another group. */
    public static Optional<RunKey> parseKey(String group, String text) {
        String[] parts = text.split(" ", 4);
        try {
            return parts.length < 4 || !parts[0].equals(withoutSpaces(group))
                    ? Optional.empty()
                    : Optional.of(new RunKey(parts[3], Long.parseLong(parts[1]), Integer.parseInt(parts[2])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String withoutSpaces(String group) {
        return URLEncoder.encode(group, StandardCharsets.UTF_8);
    }

    public static String value(RunRecord record) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("job", record.job());
        fields.put("due", record.due());
        fields.put("begun", record.begun());
        fields.put("ended", record.ended());
        fields.put("succeeded", record.ended() == null ? null : record.succeeded());
        fields.put("schedule", record.schedule());
        fields.put("member", record.member());
        fields.put("token", record.token());
        return fields.entrySet().stream()
                .filter(field -> field.getValue() != null)
                .map(field -> field.getKey() + BETWEEN + field.getValue())
                .collect(Collectors.joining("\n"));
    }

    public static Optional<RunRecord> parseValue(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        Map<String, String> fields = text.lines()
                .map(line -> line.split(BETWEEN, 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (one, other) -> other));
        try {
            return Optional.of(new RunRecord(
                    required(fields, "job"),
                    time(required(fields, "due")),
                    optionalTime(fields.get("begun")),
                    optionalTime(fields.get("ended")),
                    Boolean.parseBoolean(fields.get("succeeded")),
                    required(fields, "schedule"),
                    required(fields, "member"),
                    Long.parseLong(required(fields, "token"))));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String required(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static @Nullable Instant optionalTime(@Nullable String text) {
        return text == null ? null : time(text);
    }

    private static Instant time(String text) {
        Instant time = Instant.parse(text);
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw new IllegalArgumentException("no time of a run: " + text);
        }
        return time;
    }
}
