package io.neli.internal.kafka;

/** The log was replaced by another: nothing known of it is valid. */
final class LogReplacedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LogReplacedException(String topic, String how) {
        super("neli.topic.name is '" + topic + "': " + how);
    }
}
