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
        NatsJetStreamMetaData meta = new NatsJetStreamMetaData(new Delivered(message.getReplyTo()));
        return new StreamMessage(
                meta.streamSequence(),
                meta.consumerSequence(),
                meta.timestamp(),
                message.getSubject(),
                message.getHeaders(),
                message.getData());
    }

    /** Makes the client parse a message with a status, which it does not accept as a message of a stream. */
    private static final class Delivered extends NatsMessage {

        private final String place;

        Delivered(String place) {
            this.place = place;
        }

        @Override
        public boolean isJetStream() {
            return true;
        }

        @Override
        public String getReplyTo() {
            return place;
        }
    }
}
