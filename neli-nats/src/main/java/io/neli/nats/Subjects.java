package io.neli.nats;

/** The subjects of a stream: one for each partition, and one for announcements of members. */
record Subjects(String stream) {

    String all() {
        return "neli." + stream + ".>";
    }

    String members() {
        return "neli." + stream + ".members";
    }

    String of(int partition) {
        return "neli." + stream + "." + partition;
    }

    boolean isMembers(String subject) {
        return subject.equals(members());
    }
}
