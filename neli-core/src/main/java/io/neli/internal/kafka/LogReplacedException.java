package io.neli.internal.kafka;

/** What was the log is gone: everything known of it is void. */
final class LogReplacedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LogReplacedException(String topic, String how) {
        super("neli.topic.name is '" + topic + "': " + how);
    }
}
