package io.neli.internal.kafka;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the topic is still the one that was opened. A reader does not say: of a topic that was deleted it reads nothing,
 * and in one that was created anew and has grown past its position it goes on as if nothing had happened. So the brokers are
 * asked, from time to time, and never waited for. Belongs to one thread.
 */
final class TopicIdentity {

    private static final Logger log = LoggerFactory.getLogger(TopicIdentity.class);

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);
    /** A broker that has just started may not know a topic yet. */
    private static final int ANSWERS_UNTIL_GONE = 3;

    private static final Duration DOUBT_INTERVAL = Duration.ofMillis(100);

    private final String topic;
    private final Uuid id;
    private final Supplier<KafkaFuture<Uuid>> question;
    private final MemberClock clock;
    private final Duration interval;
    private MonotonicTime askedAt;
    private @Nullable KafkaFuture<Uuid> answer;
    private boolean confirmed = true;
    private int unknown;

    /**
     * Of a topic that was just opened.
     *
     * @param id what it had then
     * @param question asks for the id that it has now
     */
    TopicIdentity(
            String topic, Uuid id, Duration leaseDuration, MemberClock clock, Supplier<KafkaFuture<Uuid>> question) {
        this.clock = clock;
        this.askedAt = clock.time();
        this.topic = topic;
        this.id = id;
        this.question = question;
        Duration atMost = leaseDuration.compareTo(LONGEST_INTERVAL) < 0 ? leaseDuration : LONGEST_INTERVAL;
        this.interval = atMost.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : atMost;
    }

    /** Something speaks against it: what was answered before does not count any more. */
    void doubt() {
        confirmed = false;
        ask();
    }

    /** As {@link #doubt}, unless there is doubt already. */
    void suspect() {
        if (confirmed) {
            doubt();
        }
    }

    /** Whether the next {@link #check} should come soon. */
    boolean isInDoubt() {
        return !confirmed;
    }

    /**
     * Takes the answer if it has come, and asks again when it is time.
     *
     * @return whether the last question was answered with the same id
     * @throws LogReplacedException if it was answered otherwise; that there is no such topic, several times in a row
     * @throws KafkaException if there is doubt and it cannot be cleared up
     */
    boolean check() {
        KafkaFuture<Uuid> current = answer;
        if (current != null && current.isDone()) {
            answer = null;
            take(current);
        } else if (current == null
                && askedAt.until(clock.time()).compareTo(confirmed ? interval : DOUBT_INTERVAL) > 0) {
            ask();
        }
        return confirmed;
    }

    private void ask() {
        askedAt = clock.time();
        answer = question.get();
    }

    private void take(KafkaFuture<Uuid> done) {
        try {
            if (!done.get().equals(id)) {
                throw new LogReplacedException(topic, "it was deleted and created anew");
            }
            confirmed = true;
            unknown = 0;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                confirmed = false;
                unknown++;
                if (unknown >= ANSWERS_UNTIL_GONE) {
                    throw new LogReplacedException(topic, "it is gone");
                }
                return;
            }
            if (!confirmed && e.getCause() instanceof KafkaException cause && !(cause instanceof RetriableException)) {
                throw cause;
            }
            log.debug("Whether {} is still the same topic could not be asked", topic, e);
        } catch (InterruptedException | CancellationException e) {
            log.debug("Whether {} is still the same topic was not answered", topic, e);
        }
    }
}
