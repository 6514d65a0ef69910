package io.neli.internal.kafka;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the topic is still the one that was opened. A reader cannot tell: it reads nothing from a deleted topic, and in one
 * that was created again and has grown past its position it continues without an error. So the brokers are asked from time to
 * time, without waiting for the answer. Belongs to one thread.
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
     * For a topic that was just opened.
     *
     * @param topic its name in messages
     * @param id its id
     * @param question asks for the current id
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

    Uuid id() {
        return id;
    }

    /** There is reason for doubt: earlier answers no longer count. */
    void doubt() {
        confirmed = false;
        ask();
    }

    /** Like {@link #doubt}, unless there is doubt already. */
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
     * Takes the answer if it has come, and asks again when due.
     *
     * @return whether the last question was answered with the same id
     * @throws LogReplacedException if the answer was another id, or several times in a row that there is no such topic
     * @throws KafkaException if there is doubt and the question fails for good
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
                throw new LogReplacedException(topic, "it was deleted and created again");
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
            log.debug("{}: whether it is still the same topic could not be asked", topic, e);
        } catch (InterruptedException | CancellationException e) {
            log.debug("{}: whether it is still the same topic was not answered", topic, e);
        }
    }
}
