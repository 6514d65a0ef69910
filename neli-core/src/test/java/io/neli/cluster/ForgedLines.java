package io.neli.cluster;

import java.util.List;

/** Lines that no process has written, to test what checks them. */
public final class ForgedLines {

    private ForgedLines() {}

    /** Each is the process, the nanoseconds, the kind and the fields, as in {@code a 10 ACQUIRED token=5}. */
    public static List<Line> of(String... lines) {
        return List.of(lines).stream().map(ForgedLines::line).toList();
    }

    private static Line line(String text) {
        String[] parts = text.split(" ", 2);
        return Line.parse(parts[0], Line.MARK + parts[1]);
    }
}
