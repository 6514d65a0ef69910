package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks where the logs of partitions begin and end. Never waits: each partition is answered on its own, so one that cannot be
 * reached does not keep the others closed. Belongs to one thread.
 */
final class LogOpening {

    private static final Logger log = LoggerFactory.getLogger(LogOpening.class);

    static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** The client asks the broker that led when it was asked, until then. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final Admin admin;
    private final String topic;
    private final MemberClock clock;
    private final Runnable answered;
    private final Map<Integer, Question> questions = new TreeMap<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** The first offset of a partition's log, and its end. */
    record Bounds(int partition, long begin, long end) {}

    /**
     * A partition that is to be opened.
     *
     * @param since when that was wanted
     * @param askAt when to ask next; {@link MonotonicTime#NEVER} while the answer is awaited
     * @param pause how long to wait if the next answer is none
     */
    private record Question(MonotonicTime since, MonotonicTime askAt, Duration pause) {

        Question asked() {
            return new Question(since, MonotonicTime.NEVER, pause);
        }

        Question failed(MonotonicTime now) {
            Duration longer = pause.multipliedBy(2);
            return new Question(since, now.plus(pause), longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
        }
    }

    private record Answer(int partition, @Nullable Bounds bounds, @Nullable Throwable failure) {}

    /**
     * Nothing is asked yet.
     *
     * @param answered called on any thread when there is an answer to be taken
     */
    LogOpening(Admin admin, String topic, MemberClock clock, Runnable answered) {
        this.admin = admin;
        this.topic = topic;
        this.clock = clock;
        this.answered = answered;
    }

    /** These partitions are to be opened, after a pause. */
    void want(Collection<Integer> partitions, Duration pause) {
        MonotonicTime now = clock.time();
        MonotonicTime askAt = now.plus(pause);
        partitions.forEach(partition -> questions.put(partition, new Question(now, askAt, SHORTEST_PAUSE)));
    }

    /** The partitions that could not be opened for so long. */
    Set<Integer> closedFor(Duration time) {
        MonotonicTime now = clock.time();
        return questions.entrySet().stream()
                .filter(wanted -> wanted.getValue().since().until(now).compareTo(time) >= 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** When {@link #ask} has something to do next, unless an answer comes before. */
    MonotonicTime askAt() {
        return questions.values().stream()
                .map(Question::askAt)
                .min(Comparator.naturalOrder())
                .orElse(MonotonicTime.NEVER);
    }

    /** Asks for the partitions that are due. */
    void ask() {
        MonotonicTime now = clock.time();
        List<Integer> due = questions.entrySet().stream()
                .filter(wanted -> now.hasReached(wanted.getValue().askAt()))
                .map(Map.Entry::getKey)
                .toList();
        if (due.isEmpty()) {
            return;
        }
        due.forEach(partition -> questions.computeIfPresent(partition, (number, question) -> question.asked()));
        ListOffsetsResult begins = list(due, OffsetSpec.earliest());
        ListOffsetsResult ends = list(due, OffsetSpec.latest());
        for (int partition : due) {
            TopicPartition name = new TopicPartition(topic, partition);
            begins.partitionResult(name)
                    .toCompletionStage()
                    .thenCombine(
                            ends.partitionResult(name).toCompletionStage(),
                            (begin, end) -> new Bounds(partition, begin.offset(), end.offset()))
                    .whenComplete((bounds, failure) -> {
                        answers.add(new Answer(partition, bounds, failure));
                        answered.run();
                    });
        }
    }

    private ListOffsetsResult list(List<Integer> partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(new TopicPartition(topic, partition), which));
        ListOffsetsOptions options = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        return admin.listOffsets(wanted, options.timeoutMs(Math.toIntExact(ANSWER_LIMIT.toMillis())));
    }

    /**
     * The bounds that have been answered since the last call; these partitions are no longer wanted.
     *
     * @throws AuthorizationException if asking is not allowed
     * @throws AuthenticationException if the brokers do not let this member in
     */
    List<Bounds> takeAnswers() {
        List<Bounds> taken = new ArrayList<>();
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            if (answer.bounds() != null) {
                if (questions.remove(answer.partition()) != null) {
                    taken.add(answer.bounds());
                }
            } else {
                failed(answer.partition(), answer.failure());
            }
        }
        return taken;
    }

    private void failed(int partition, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
            throw (ApiException) cause;
        }
        log.debug("Where {}-{} begins and ends is not known yet", topic, partition, cause);
        MonotonicTime now = clock.time();
        questions.computeIfPresent(partition, (number, question) -> question.failed(now));
    }
}
