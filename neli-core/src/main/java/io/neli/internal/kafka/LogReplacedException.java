package io.neli.internal.kafka;

/** The log was replaced by another: nothing known of it is valid. */
final class LogReplacedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * For a topic.
     *
     * @param namedTopic see {@link KafkaSettings#namedTopic}
     */
    LogReplacedException(String namedTopic, String how) {
        super(namedTopic + ": " + how);
    }
}
