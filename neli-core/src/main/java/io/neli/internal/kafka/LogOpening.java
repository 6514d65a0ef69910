package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks where logs begin and end. Never waits: each is answered on its own, so one that cannot be reached does not keep the others
 * closed. Belongs to one thread.
 */
final class LogOpening {

    private static final Logger log = LoggerFactory.getLogger(LogOpening.class);

    static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** The client asks the broker that led when it was asked, until then. */
    private static final int LIMIT_MILLIS = 2_000;

    private final Admin admin;
    private final List<String> topics;
    private final MemberClock clock;
    private final Runnable answered;
    private final Map<LogId, Question> questions = new HashMap<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private long lastWanted;

    /** The first offset of a log, and its end. */
    record Bounds(LogId log, long begin, long end) {}

    /**
     * A log that is to be opened.
     *
     * @param number what was asked before a log was wanted again is not taken for an answer
     * @param since when that was wanted
     * @param askAt when to ask next; {@link MonotonicTime#NEVER} while the answer is awaited
     * @param pause how long to wait if the next answer is none
     */
    private record Question(long number, MonotonicTime since, MonotonicTime askAt, Duration pause) {

        boolean isFirst() {
            return pause.equals(SHORTEST_PAUSE);
        }

        Question asked() {
            return new Question(number, since, MonotonicTime.NEVER, pause);
        }

        Question failed(MonotonicTime now) {
            Duration longer = pause.multipliedBy(2);
            return new Question(
                    number, since, now.plus(pause), longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
        }
    }

    private record Answer(LogId log, long number, @Nullable Bounds bounds, @Nullable Throwable failure) {}

    /**
     * Nothing is asked yet.
     *
     * @param topics of the logs, by their number
     * @param answered called on any thread when there is an answer to be taken
     */
    LogOpening(Admin admin, List<String> topics, MemberClock clock, Runnable answered) {
        this.admin = admin;
        this.topics = topics;
        this.clock = clock;
        this.answered = answered;
    }

    /** These logs are to be opened, after a pause. */
    void want(Collection<LogId> logs, Duration pause) {
        MonotonicTime now = clock.time();
        MonotonicTime askAt = now.plus(pause);
        for (LogId log : logs) {
            Question before = questions.get(log);
            MonotonicTime since = before == null ? now : before.since();
            questions.put(log, new Question(++lastWanted, since, askAt, SHORTEST_PAUSE));
        }
    }

    /** The logs that could not be opened for so long. */
    Set<LogId> closedFor(Duration time) {
        MonotonicTime now = clock.time();
        return questions.entrySet().stream()
                .filter(wanted -> wanted.getValue().since().until(now).compareTo(time) >= 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** When {@link #ask} has something to do next for logs of these numbers, unless an answer comes before. */
    MonotonicTime askAt(IntPredicate numbers) {
        return questions.entrySet().stream()
                .filter(wanted -> numbers.test(wanted.getKey().log()))
                .map(wanted -> wanted.getValue().askAt())
                .min(Comparator.naturalOrder())
                .orElse(MonotonicTime.NEVER);
    }

    /** Asks for the logs of these numbers that are due. */
    void ask(IntPredicate numbers) {
        MonotonicTime now = clock.time();
        List<LogId> due = questions.entrySet().stream()
                .filter(wanted -> numbers.test(wanted.getKey().log()))
                .filter(wanted -> now.hasReached(wanted.getValue().askAt()))
                .map(Map.Entry::getKey)
                .toList();
        if (due.isEmpty()) {
            return;
        }
        Map<LogId, Question> first = new HashMap<>();
        Map<LogId, Question> repeated = new HashMap<>();
        for (LogId wanted : due) {
            Question asked = Objects.requireNonNull(questions.computeIfPresent(wanted, (id, each) -> each.asked()));
            (asked.isFirst() ? first : repeated).put(wanted, asked);
        }
        askForBounds(first);
        askForLeaders(repeated);
    }

    /** The client asks without a pause where a partition has no leader, so that is asked before. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure is an answer, too
    private void askForLeaders(Map<LogId, Question> asked) {
        if (asked.isEmpty()) {
            return;
        }
        Map<String, KafkaFuture<TopicDescription>> descriptions = admin.describeTopics(
                        asked.keySet().stream()
                                .map(wanted -> topics.get(wanted.log()))
                                .collect(Collectors.toSet()),
                        new DescribeTopicsOptions().timeoutMs(LIMIT_MILLIS))
                .topicNameValues();
        descriptions.forEach((topic, description) -> description.whenComplete((found, failure) -> {
            Map<LogId, Question> led = new HashMap<>();
            asked.forEach((wanted, question) -> {
                if (!topic.equals(topics.get(wanted.log()))) {
                    return;
                }
                if (failure == null && hasLeader(found, wanted.partition())) {
                    led.put(wanted, question);
                } else {
                    answer(wanted, question, null, failure);
                }
            });
            askForBounds(led);
        }));
    }

    private static boolean hasLeader(TopicDescription topic, int partition) {
        return topic.partitions().stream()
                .anyMatch(each -> each.partition() == partition
                        && each.leader() != null
                        && !each.leader().isEmpty());
    }

    private void askForBounds(Map<LogId, Question> asked) {
        if (asked.isEmpty()) {
            return;
        }
        ListOffsetsResult begins = list(asked.keySet(), OffsetSpec.earliest());
        ListOffsetsResult ends = list(asked.keySet(), OffsetSpec.latest());
        asked.forEach((wanted, question) -> begins.partitionResult(name(wanted))
                .toCompletionStage()
                .thenCombine(
                        ends.partitionResult(name(wanted)).toCompletionStage(),
                        (begin, end) -> new Bounds(wanted, begin.offset(), end.offset()))
                .whenComplete((bounds, failure) -> answer(wanted, question, bounds, failure)));
    }

    private void answer(LogId wanted, Question question, @Nullable Bounds bounds, @Nullable Throwable failure) {
        answers.add(new Answer(wanted, question.number(), bounds, failure));
        answered.run();
    }

    private TopicPartition name(LogId wanted) {
        return new TopicPartition(topics.get(wanted.log()), wanted.partition());
    }

    private ListOffsetsResult list(Collection<LogId> logs, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        logs.forEach(each -> wanted.put(name(each), which));
        ListOffsetsOptions options = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        return admin.listOffsets(wanted, options.timeoutMs(LIMIT_MILLIS));
    }

    /**
     * Takes what has been answered since the last call about logs of these numbers.
     *
     * @param numbers the answers for others are left
     * @param refused receives the number of logs for which asking is not allowed
     * @return the bounds; these logs are no longer wanted
     * @throws AuthenticationException if the brokers do not let this member in
     */
    List<Bounds> takeAnswers(IntPredicate numbers, BiConsumer<Integer, AuthorizationException> refused) {
        List<Bounds> taken = new ArrayList<>();
        for (Answer answer : List.copyOf(answers)) {
            if (!numbers.test(answer.log().log())) {
                continue;
            }
            answers.remove(answer);
            Question question = questions.get(answer.log());
            if (question == null || question.number() != answer.number()) {
                continue;
            }
            if (answer.bounds() != null) {
                questions.remove(answer.log());
                taken.add(answer.bounds());
            } else {
                failed(answer.log(), question, answer.failure(), refused);
            }
        }
        return taken;
    }

    private void failed(
            LogId wanted,
            Question question,
            @Nullable Throwable failure,
            BiConsumer<Integer, AuthorizationException> refused) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof AuthenticationException refusal) {
            throw refusal;
        }
        questions.put(wanted, question.failed(clock.time()));
        if (cause instanceof AuthorizationException refusal) {
            refused.accept(wanted.log(), refusal);
        }
        log.debug("Where {} begins and ends is not known yet", name(wanted), cause);
    }
}
