package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to the logs; never waits. A record that the client does not accept, because it has no metadata at
 * that moment, is kept and sent again. A record that fails later may still be in the log, so its failure proves
 * nothing. Belongs to one thread; the client's callbacks only record outcomes.
 */
final class LogWriter implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofMillis(200);

    private static final Duration SHORTEST_RETRY_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_RETRY_PAUSE = Duration.ofMillis(100);
    private static final int RETRIES_PER_AGE = 8;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final ShellSettings settings;
    private final KafkaRecords kafkaRecords;
    private final MemberClock clock;
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Unsent> unsent = new ArrayDeque<>();
    private @Nullable Producer<byte[], byte[]> producer;

    /** @param producers creates the producer when it is first needed */
    LogWriter(
            Supplier<Producer<byte[], byte[]>> producers,
            ShellSettings settings,
            KafkaRecords kafkaRecords,
            MemberClock clock) {
        this.producers = producers;
        this.settings = settings;
        this.kafkaRecords = kafkaRecords;
        this.clock = clock;
    }

    /**
     * @param offset the record's offset in the log; -1 if it failed, or if the offset is unknown
     * @param readerPosition how far the log had been read when the record was sent
     * @param failure null if the record is in the log
     */
    record Outcome(LogId log, long offset, long readerPosition, @Nullable Exception failure) {

        /** Whether the brokers answered that the topic does not exist, which is not always true. */
        boolean isUnknownTopic() {
            return failure instanceof UnknownTopicOrPartitionException
                    || (failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException);
        }
    }

    private record Unsent(LogId log, LogRecord content, long readerPosition, MonotonicTime since) {}

    /**
     * Creates the producer if there is none yet. One that may not write asks for an id all the time, so an observer,
     * which needs no right to write, must have none.
     */
    Producer<byte[], byte[]> start() {
        Producer<byte[], byte[]> started = producer == null ? producers.get() : producer;
        producer = started;
        return started;
    }

    boolean isStarted() {
        return producer != null;
    }

    /** Requests a topic's metadata, which the first records need; returns whether it has arrived. */
    boolean isReady(int number) {
        try {
            return !start().partitionsFor(settings.topic(number)).isEmpty();
        } catch (org.apache.kafka.common.errors.TimeoutException e) {
            return false;
        }
    }

    void append(LogId log, LogRecord content, long readerPosition) {
        send(new Unsent(log, content, readerPosition, clock.time()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback records the outcome
    private void send(Unsent record) {
        Thread sender = Thread.currentThread();
        try {
            start().send(kafkaRecords.encode(record.log(), record.content()), (metadata, failure) -> {
                if (failure != null && Thread.currentThread() == sender) { // so the client has not accepted it
                    unsent.add(record);
                }
                outcomes.add(outcome(record, metadata, failure));
            });
        } catch (KafkaException | IllegalStateException e) {
            // Recorded like any failure: the other actions of the step, such as a fence, must still be carried out.
            outcomes.add(outcome(record, null, e));
        }
    }

    private static Outcome outcome(Unsent record, @Nullable RecordMetadata metadata, @Nullable Exception failure) {
        long offset = failure == null && metadata != null && metadata.hasOffset() ? metadata.offset() : -1;
        return new Outcome(record.log(), offset, record.readerPosition(), failure);
    }

    /** Sends again the records that the client has not accepted, for up to a lease; returns whether any are left. */
    boolean retry() {
        Duration lease = settings.election().leaseDuration();
        for (int left = unsent.size(); left > 0; left--) {
            Unsent record = unsent.remove();
            if (!clock.time().hasReached(record.since().plus(lease))) {
                send(record);
            }
        }
        return !unsent.isEmpty();
    }

    /** The pause before {@link #retry}. Grows with the age of the youngest record: a topic may be gone for long. */
    Duration retryPause() {
        Duration pause = LONGEST_RETRY_PAUSE;
        for (Unsent record : unsent) {
            Duration patience = record.since().until(clock.time()).dividedBy(RETRIES_PER_AGE);
            pause = patience.compareTo(pause) < 0 ? patience : pause;
        }
        return pause.compareTo(SHORTEST_RETRY_PAUSE) < 0 ? SHORTEST_RETRY_PAUSE : pause;
    }

    /** Drops the records to these logs that the client has not accepted yet. */
    void drop(Collection<LogId> logs) {
        unsent.removeIf(record -> logs.contains(record.log()));
    }

    @Nullable
    Outcome nextOutcome() {
        return outcomes.poll();
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> started = producer;
        if (started != null) { // an interrupt would end the wait for its thread, which then leaves meters behind
            DaemonThread.uninterrupted(() -> started.close(CLOSE_LIMIT));
        }
    }
}
