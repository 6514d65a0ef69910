package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.ShellSettings;

/**
 * Creates consumers of the stream. A consumer sends nothing until its subject is subscribed to, so a consumer whose
 * creation is answered too late is never read.
 */
record Consumers(Connection connection, ShellSettings settings) {

    /**
     * The limit of the first attempt; it doubles with each one. The cluster may place a consumer on a server that has
     * just died, so each attempt asks for a new consumer.
     */
    private static final Duration FIRST_LIMIT = Duration.ofMillis(300);

    private static final Duration LONGEST_LIMIT = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 6;
    private static final Duration FORGET_AFTER = Duration.ofSeconds(10);

    ConsumerInfo from(long sequence) throws IOException, JetStreamApiException {
        return create(
                configuration().deliverPolicy(DeliverPolicy.ByStartSequence).startSequence(sequence));
    }

    /** The sequence of the first message stored at {@code time} or later. Creates a consumer, but does not read it. */
    long sequenceAt(ZonedDateTime time) throws IOException, JetStreamApiException {
        return create(configuration().deliverPolicy(DeliverPolicy.ByStartTime).startTime(time))
                        .getDelivered()
                        .getStreamSequence()
                + 1;
    }

    /** How many messages of a subject were stored since then. Creates a consumer, but does not read it. */
    long count(String subject, ZonedDateTime since) throws IOException, JetStreamApiException {
        return create(configuration()
                        .filterSubject(subject)
                        .deliverPolicy(DeliverPolicy.ByStartTime)
                        .startTime(since))
                .getNumPending();
    }

    private ConsumerInfo create(ConsumerConfiguration.Builder configuration) throws IOException, JetStreamApiException {
        Backoff limits = new Backoff(FIRST_LIMIT, LONGEST_LIMIT);
        for (int left = ATTEMPTS - 1; ; left--) {
            try {
                return connection
                        .jetStreamManagement(JetStreamOptions.builder()
                                .requestTimeout(limits.next())
                                .build())
                        .addOrUpdateConsumer(
                                settings.topic(),
                                configuration
                                        .deliverSubject(connection.createInbox())
                                        .build());
            } catch (IOException e) {
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    private ConsumerConfiguration.Builder configuration() {
        return ConsumerConfiguration.builder()
                .description("neli " + settings.name())
                .ackPolicy(AckPolicy.None)
                .maxDeliver(1)
                .numReplicas(1)
                .memStorage(true)
                .inactiveThreshold(FORGET_AFTER)
                .flowControl(StreamConnection.heartbeat(settings));
    }
}
