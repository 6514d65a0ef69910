package io.neli.nats;

import java.time.ZonedDateTime;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsJetStreamMetaData;
import io.nats.client.impl.NatsMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of the stream.
 *
 * @param sequence its place in the stream, from 1
 * @param delivery its place in what the consumer was sent, from 1
 * @param time when it was stored
 */
@SuppressWarnings("ArrayRecordComponent") // messages are not compared
record StreamMessage(
        long sequence, long delivery, ZonedDateTime time, String subject, @Nullable Headers headers, byte[] data) {

    private static final String DELIVERED = "$JS.ACK.";

    /** Whether this is a message of the stream. Its headers may begin with a status, as in the server's own reports. */
    static boolean isOne(Message message) {
        return message.getReplyTo() != null && message.getReplyTo().startsWith(DELIVERED);
    }

    static StreamMessage of(Message message) {
        NatsMessage delivered = new NatsMessage(message.getSubject(), message.getReplyTo(), message.getData()) {
            @Override
            public boolean isJetStream() {
                return true; // also with a status, with which the client would not parse its place
            }
        };
        NatsJetStreamMetaData meta = new NatsJetStreamMetaData(delivered);
        return new StreamMessage(
                meta.streamSequence(),
                meta.consumerSequence(),
                meta.timestamp(),
                message.getSubject(),
                message.getHeaders(),
                message.getData());
    }
}
