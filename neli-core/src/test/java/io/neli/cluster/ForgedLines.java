package io.neli.cluster;

import java.util.List;

/** Creates lines that no process has written, to test the checkers. */
public final class ForgedLines {

    private ForgedLines() {}

    /** Each line has the process, the nanoseconds, the kind and the fields, such as {@code a 10 ACQUIRED token=5}. */
    public static List<Line> of(String... lines) {
        return List.of(lines).stream().map(ForgedLines::line).toList();
    }

    private static Line line(String text) {
        String[] parts = text.split(" ", 2);
        return Line.parse(parts[0], Line.MARK + parts[1]);
    }
}
