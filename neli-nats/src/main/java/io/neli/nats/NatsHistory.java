package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.neli.internal.election.LogHistory;
import io.neli.internal.election.PartitionHistory;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.HistoryLimit;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;

/** Reads the past terms of one partition on a separate connection. Belongs to one thread. */
record NatsHistory(Options options, String shown, ShellSettings settings, MemberClock clock) {

    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(2);

    List<PastTerm> read(int partition, long since) throws InterruptedException {
        HistoryLimit limit = new HistoryLimit(clock);
        Inbox inbox = new Inbox();
        try {
            Connection connection = StreamConnection.connect(
                    new Options.Builder(options).connectionTimeout(REQUEST_LIMIT),
                    settings.threadName("history"),
                    inbox);
            try {
                return read(connection, partition, since, limit);
            } finally {
                StreamConnection.close(connection);
            }
        } catch (IOException | JetStreamApiException | IllegalStateException e) { // the last one: closed meanwhile
            NatsFailure failure = new NatsFailure(shown, settings.topic());
            String refusal = inbox.takeRefusal(); // a refused request is not answered
            throw new UnusableLogException(refusal == null ? failure.of(e) : failure.ofRefusal(refusal), e);
        }
    }

    private List<PastTerm> read(Connection connection, int partition, long since, HistoryLimit limit)
            throws IOException, JetStreamApiException, InterruptedException {
        String subject = new Subjects(settings.topic()).of(partition);
        ZonedDateTime from = Instant.ofEpochMilli(since).atZone(ZoneOffset.UTC);
        long readAt = clock.now().wallMillis(); // before the count, which may be answered late
        long count = new Consumers(connection, settings).count(subject, from);
        limit.check(count);
        LogHistory history = new LogHistory(0);
        if (count > 0) {
            readAll(subscribe(connection, subject, from), count, limit, history);
        }
        return PartitionHistory.of(List.of(history), 1, readAt);
    }

    private JetStreamSubscription subscribe(Connection connection, String subject, ZonedDateTime from)
            throws IOException, JetStreamApiException {
        return connection
                .jetStream()
                .subscribe(
                        subject,
                        PushSubscribeOptions.builder().ordered(true).stream(settings.topic())
                                .configuration(ConsumerConfiguration.builder()
                                        .deliverPolicy(DeliverPolicy.ByStartTime)
                                        .startTime(from)
                                        .build())
                                .build());
    }

    private void readAll(JetStreamSubscription messages, long count, HistoryLimit limit, LogHistory history)
            throws IOException, InterruptedException {
        RecordHeaders headers = new RecordHeaders(settings.groupId());
        for (long read = 0; read < count; read++) {
            Duration left = limit.left();
            Message next = left.toMillis() > 0 ? messages.nextMessage(left) : null; // zero would wait forever
            if (next == null) {
                throw new IOException(HistoryLimit.exceeded());
            }
            StreamMessage message = StreamMessage.of(next);
            history.read(
                    Batch.offset(message.sequence()),
                    headers.decode(message.headers()),
                    message.time().toInstant().toEpochMilli());
            if (next.metaData().pendingCount() == 0) {
                return; // some of the counted ones were deleted meanwhile
            }
        }
    }
}
