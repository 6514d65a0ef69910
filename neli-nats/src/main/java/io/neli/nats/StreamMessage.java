package io.neli.nats;

import java.time.ZonedDateTime;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsJetStreamMetaData;
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

    static StreamMessage of(Message message) {
        NatsJetStreamMetaData meta = message.metaData();
        return new StreamMessage(
                meta.streamSequence(),
                meta.consumerSequence(),
                meta.timestamp(),
                message.getSubject(),
                message.getHeaders(),
                message.getData());
    }
}
