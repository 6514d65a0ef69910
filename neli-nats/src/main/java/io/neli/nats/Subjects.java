package io.neli.nats;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The subjects of a stream: one for each partition, and one for announcements of members. */
final class Subjects {

    private static final int NO_PARTITION = -1;
    private static final String MEMBERS = "members";

    private final String prefix;
    private final Pattern partition;

    Subjects(String stream) {
        this.prefix = "neli." + stream + ".";
        this.partition = Pattern.compile(Pattern.quote(prefix) + "(\\d{1,9})");
    }

    String all() {
        return prefix + ">";
    }

    String members() {
        return prefix + MEMBERS;
    }

    String of(int number) {
        return prefix + number;
    }

    boolean isMembers(String subject) {
        return subject.equals(members());
    }

    /** The partition of the subject; negative if it has none. */
    int partition(String subject) {
        Matcher matcher = partition.matcher(subject);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : NO_PARTITION;
    }
}
