package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers where logs begin and end, so that they can be opened. Never waits. Each log is answered separately,
 * so an unreachable one does not keep the others closed. Belongs to one thread.
 */
final class LogOpening {

    private static final Logger log = LoggerFactory.getLogger(LogOpening.class);

    static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** Until then, the client keeps asking the broker that led when the request was made. */
    private static final int LIMIT_MILLIS = 2_000;

    private final Admin admin;
    private final ConnectedTopics topics;
    private final KafkaRecords kafkaRecords;
    private final MemberClock clock;
    private final Runnable answered;
    private final Map<LogId, Question> questions = new HashMap<>();

    /** The first offset of a log, and its end. */
    record Bounds(long begin, long end) {}

    /** A log to open. Each {@link #want} replaces its question, so that answers to earlier ones do not count. */
    private static final class Question {
        private final MonotonicTime since;
        private MonotonicTime askAt;
        private final Backoff backoff = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
        private boolean hasFailed;
        private @Nullable CompletableFuture<Bounds> answer;

        Question(MonotonicTime since, MonotonicTime askAt) {
            this.since = since;
            this.askAt = askAt;
        }

        void failed(MonotonicTime now) {
            answer = null;
            hasFailed = true;
            askAt = now.plus(backoff.next());
        }
    }

    /** @param answered called on any thread when there is an answer to take */
    LogOpening(Admin admin, ConnectedTopics topics, KafkaRecords kafkaRecords, MemberClock clock, Runnable answered) {
        this.admin = admin;
        this.topics = topics;
        this.kafkaRecords = kafkaRecords;
        this.clock = clock;
        this.answered = answered;
    }

    /** Requests that these logs are opened, after a pause. */
    void want(Collection<LogId> logs, Duration pause) {
        MonotonicTime now = clock.time();
        for (LogId wanted : logs) {
            Question before = questions.get(wanted);
            questions.put(wanted, new Question(before == null ? now : before.since, now.plus(pause)));
        }
    }

    boolean isWanted(LogId wanted) {
        return questions.containsKey(wanted);
    }

    /** The logs that have waited to be opened for at least this long, although their topics have these partitions. */
    Set<LogId> closedFor(Duration time) {
        MonotonicTime now = clock.time();
        return questions.entrySet().stream()
                .filter(wanted -> wanted.getValue().since.until(now).compareTo(time) >= 0)
                .map(Map.Entry::getKey)
                .filter(wanted -> !topics.isMissing(wanted))
                .collect(Collectors.toSet());
    }

    /** When {@link #ask} is due next, unless an answer arrives earlier. */
    MonotonicTime askAt() {
        return questions.entrySet().stream()
                .filter(wanted -> mayAsk(wanted.getKey(), wanted.getValue()))
                .map(wanted -> wanted.getValue().askAt)
                .reduce(MonotonicTime.NEVER, MonotonicTime::earlier);
    }

    /** After a failure, waits for the partition's leader: without one, the client would retry without a pause. */
    private boolean mayAsk(LogId wanted, Question question) {
        return question.answer == null
                && topics.isConfirmed(wanted.log())
                && (!question.hasFailed || topics.isLed(wanted));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer is kept
    void ask() {
        MonotonicTime now = clock.time();
        Map<LogId, Question> due = new HashMap<>(questions);
        due.entrySet()
                .removeIf(each -> !now.hasReached(each.getValue().askAt) || !mayAsk(each.getKey(), each.getValue()));
        if (due.isEmpty()) {
            return;
        }
        ListOffsetsResult begins = list(due.keySet(), OffsetSpec.earliest());
        ListOffsetsResult ends = list(due.keySet(), OffsetSpec.latest());
        due.forEach((wanted, question) -> {
            TopicPartition partition = kafkaRecords.partition(wanted);
            CompletionStage<ListOffsetsResultInfo> end =
                    ends.partitionResult(partition).toCompletionStage();
            question.answer = begins.partitionResult(partition)
                    .toCompletionStage()
                    .thenCombine(end, (first, last) -> new Bounds(first.offset(), last.offset()))
                    .toCompletableFuture();
            question.answer.whenComplete((bounds, failure) -> answered.run());
        });
    }

    private ListOffsetsResult list(Collection<LogId> logs, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        logs.forEach(each -> wanted.put(kafkaRecords.partition(each), which));
        return admin.listOffsets(wanted, new ListOffsetsOptions().timeoutMs(LIMIT_MILLIS));
    }

    /**
     * Takes the answers since the last call. A topic that this member may not ask about fails.
     *
     * @return the bounds; these logs are no longer wanted
     * @throws AuthenticationException if the brokers do not let this member in
     */
    Map<LogId, Bounds> take() {
        Map<LogId, Bounds> taken = new HashMap<>();
        for (Map.Entry<LogId, Question> each : List.copyOf(questions.entrySet())) {
            LogId wanted = each.getKey();
            Question question = each.getValue();
            if (question.answer == null || !question.answer.isDone() || !topics.isConfirmed(wanted.log())) {
                continue;
            }
            try {
                taken.put(wanted, question.answer.join());
                questions.remove(wanted);
            } catch (CompletionException e) {
                if (e.getCause() instanceof AuthenticationException failure) {
                    throw failure;
                }
                log.debug("Where {} begins and ends is not known yet", kafkaRecords.partition(wanted), e);
                question.failed(clock.time());
                if (e.getCause() instanceof AuthorizationException refusal) {
                    topics.fail(wanted.log(), refusal);
                }
            }
        }
        return taken;
    }
}
