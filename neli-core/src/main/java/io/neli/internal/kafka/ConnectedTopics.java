package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the topics of a connection: which are usable, and whether each is still the same topic. Another thread
 * searches for the rest. A connection lasts as long as a majority of its topics is usable. Belongs to one thread. Tests
 * substitute other states.
 *
 * <p>A reader does not notice that a topic was replaced: it reads nothing from a deleted one, and continues without an
 * error in a new one that has grown past its position. So this class regularly asks the brokers, without waiting for
 * the answers.
 */
class ConnectedTopics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConnectedTopics.class);

    private static final Duration SEARCH_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);
    private static final Duration DOUBT_INTERVAL = Duration.ofMillis(100);

    /** One answer is not enough: a broker that has just started may not know a topic yet. */
    private static final int ANSWERS_UNTIL_GONE = 3;

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Admin admin;
    private final Search topicSearch;
    private final Runnable answered;
    private final Duration interval;

    /** The topics as they were last described, including those that are not usable any more. */
    private final Map<Integer, TopicDescription> found = new HashMap<>();

    private final Map<Integer, RuntimeException> failures = new TreeMap<>();

    /** The topics whose ids are to be confirmed, and how often in a row the brokers did not know each. */
    private final Map<Integer, Integer> doubts = new HashMap<>();

    private final Set<Integer> lost = new HashSet<>();
    private Map<Integer, Problem> narrow = Map.of();
    private Map<Integer, KafkaFuture<TopicDescription>> answers = new TreeMap<>();
    private MonotonicTime askedAt;

    private final Backoff backoff = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
    private MonotonicTime searchAt = MonotonicTime.NEVER;
    private @Nullable FutureTask<FoundTopics> search;
    private @Nullable Thread searching;

    interface Search {
        /** Finds the topics; {@code inUse} are the log numbers of those in use. May wait for the brokers. */
        FoundTopics find(Admin admin, Set<Integer> inUse) throws InterruptedException;
    }

    /** @param answered called on any thread when {@link #step} has something to do */
    ConnectedTopics(KafkaSettings settings, MemberClock clock, Admin admin, Search topicSearch, Runnable answered) {
        this.settings = settings;
        this.clock = clock;
        this.admin = admin;
        this.topicSearch = topicSearch;
        this.answered = answered;
        this.askedAt = clock.time();
        Duration lease = settings.shell().election().leaseDuration();
        Duration atMost = lease.compareTo(LONGEST_INTERVAL) < 0 ? lease : LONGEST_INTERVAL;
        this.interval = atMost.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : atMost;
    }

    void search() {
        searchAt = MonotonicTime.NEVER;
        Set<Integer> inUse = usable();
        FutureTask<FoundTopics> next = new FutureTask<>(() -> topicSearch.find(admin, inUse));
        search = next;
        searching = DaemonThread.of(settings.shell().threadName("topic"), () -> {
            next.run();
            answered.run();
        });
        searching.start();
    }

    /**
     * Waits for the search, with a limit.
     *
     * @throws RuntimeException a topic's failure, if fewer than a majority of the topics are usable
     */
    void awaitFound() throws InterruptedException {
        FoundTopics first = AdminRequests.answer(Objects.requireNonNull(search, "not begun"), SEARCH_LIMIT);
        search = null;
        take(first);
        requireMajority();
    }

    /** The search covers topics that are in use already, because they may have new partitions. */
    private void take(FoundTopics next) {
        next.usable().forEach((number, topic) -> {
            if (!isUsable(number) || idOf(number).equals(topic.topicId())) {
                found.put(number, topic);
                failures.remove(number);
            }
        });
        next.unusable().forEach((number, why) -> {
            if (!isUsable(number)) {
                failures.put(number, why);
                log.debug("The topic {} cannot be used", settings.shell().topic(number), why);
            }
        });
        narrow = next.narrow();
        if (!failures.isEmpty()) {
            searchAt = clock.time().plus(backoff.next());
            return;
        }
        backoff.reset();
        if (!narrow.isEmpty()) {
            searchAt = clock.time().plus(settings.shell().election().leaseDuration());
        }
    }

    /** Throws a topic's failure if fewer than a majority of the topics are usable. */
    void requireMajority() {
        if (!areMajority()) {
            throw failures.values().iterator().next();
        }
    }

    private boolean areMajority() {
        return usable().size() >= settings.shell().majority();
    }

    private boolean isUsable(int number) {
        return found.containsKey(number) && !failures.containsKey(number);
    }

    private Set<Integer> usable() {
        return found.keySet().stream().filter(this::isUsable).collect(Collectors.toSet());
    }

    private Uuid idOf(int number) {
        return Objects.requireNonNull(found.get(number)).topicId();
    }

    /** Stops using a topic, and searches for it again. */
    void fail(int number, RuntimeException why) {
        if (isUsable(number)) {
            answers.remove(number);
            doubts.remove(number);
            failures.put(number, why);
            lost.add(number);
            if (search != null) { // its result may be outdated for this topic
                search.cancel(true);
                search = null;
            }
            searchAt = clock.time().plus(SHORTEST_PAUSE); // pauses: it may be found again and still be unreadable
        }
    }

    /** Stops using a topic that is gone or was replaced: nothing known of its logs is valid any more. */
    void replaced(int number, String how) {
        String what = settings.namedTopic(number) + ": " + how;
        fail(number, UnusableLogException.passing(what, "members continue once the topic exists"));
    }

    /**
     * The log numbers of the topics lost since the last call. If no majority is left, the connection ends, and only
     * replaced topics are returned: the next connection continues where it was in the others.
     */
    Set<Integer> takeLost() {
        Set<Integer> taken = lost.stream()
                .filter(number -> areMajority() || failures.get(number) instanceof UnusableLogException)
                .collect(Collectors.toSet());
        lost.clear();
        return taken;
    }

    /** The ids of the usable topics, by log number. */
    Map<Integer, Uuid> ids() {
        return usable().stream().collect(Collectors.toMap(Function.identity(), this::idOf));
    }

    /** Why the other topics are not usable, by log number. */
    Map<Integer, RuntimeException> failures() {
        return failures;
    }

    /** Why a usable topic has fewer partitions than this member needs. */
    Optional<Problem> narrow() {
        return narrow.values().stream().findFirst();
    }

    /** Whether a usable topic does not have this partition yet. */
    boolean isMissing(LogId wanted) {
        return isUsable(wanted.log())
                && wanted.partition() >= partitions(wanted.log()).count();
    }

    /** The partitions of a topic when it was last described; none if it never was. */
    private Stream<TopicPartitionInfo> partitions(int number) {
        return Stream.ofNullable(found.get(number)).flatMap(topic -> topic.partitions().stream());
    }

    /** The brokers of a topic when it was last found; empty if it never was. */
    Set<Integer> brokers(int number) {
        return partitions(number)
                .filter(each -> each.partition() < settings.shell().partitions())
                .flatMap(each -> each.replicas().stream().map(Node::id))
                .collect(Collectors.toSet());
    }

    /** Asks the brokers to confirm a topic's id. None of its logs is opened before they do. */
    void doubt(int number) {
        if (isUsable(number)) {
            doubts.putIfAbsent(number, 0);
            ask();
        }
    }

    /** Like {@link #doubt}, unless the topic is in doubt already. */
    void suspect(int number) {
        if (isConfirmed(number)) {
            doubt(number);
        }
    }

    /** Whether a topic is usable and known to be the same. */
    boolean isConfirmed(int number) {
        return isUsable(number) && !doubts.containsKey(number);
    }

    /** Whether the partition had a leader when its topic was last described. */
    boolean isLed(LogId wanted) {
        return partitions(wanted.log()).anyMatch(each -> each.partition() == wanted.partition() && isLed(each));
    }

    private static boolean isLed(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }

    /** When {@link #step} is due next, unless an answer arrives earlier. */
    MonotonicTime dueAt() {
        MonotonicTime next = answers.isEmpty() ? askAt() : MonotonicTime.NEVER;
        return search == null ? MonotonicTime.earlier(searchAt, next) : next;
    }

    private MonotonicTime askAt() {
        if (!doubts.isEmpty()) {
            return askedAt.plus(DOUBT_INTERVAL);
        }
        boolean allLed = usable().stream().flatMap(this::partitions).allMatch(ConnectedTopics::isLed);
        return askedAt.plus(allLed ? interval : SHORTEST_INTERVAL);
    }

    /** Asks for all usable topics. Answers to earlier questions no longer count. */
    @SuppressWarnings("FutureReturnValueIgnored") // each answer is kept
    private void ask() {
        askedAt = clock.time();
        answers = AdminRequests.describe(admin, settings.shell(), usable(), false);
        answers.values().forEach(answer -> answer.whenComplete((topic, failure) -> answered.run()));
    }

    /** Checks the usable topics, and keeps searching for the others. Never waits. */
    void step() throws InterruptedException {
        for (Map.Entry<Integer, KafkaFuture<TopicDescription>> each :
                Map.copyOf(answers).entrySet()) {
            if (each.getValue().isDone()) {
                answers.remove(each.getKey());
                check(each.getKey(), each.getValue());
            }
        }
        if (answers.isEmpty() && clock.time().hasReached(askAt())) {
            ask();
        }
        if (search == null && clock.time().hasReached(searchAt)) {
            search();
        } else if (search != null && search.isDone()) {
            takeFound(search);
        }
    }

    private void check(int number, KafkaFuture<TopicDescription> answer) throws InterruptedException {
        try {
            TopicDescription topic = AdminRequests.answer(answer);
            if (!idOf(number).equals(topic.topicId())) {
                replaced(number, "it was deleted and created again");
                return;
            }
            found.put(number, topic);
            doubts.remove(number);
        } catch (UnknownTopicOrPartitionException e) {
            if (doubts.merge(number, 1, Integer::sum) >= ANSWERS_UNTIL_GONE) {
                replaced(number, "it is gone");
            }
        } catch (RuntimeException e) {
            log.debug("{}: whether it is still the same topic is not known", settings.namedTopic(number), e);
            if (doubts.containsKey(number) && e instanceof KafkaException && !(e instanceof RetriableException)) {
                fail(number, e);
            }
        }
    }

    private void takeFound(FutureTask<FoundTopics> done) throws InterruptedException {
        search = null;
        try {
            take(done.get());
        } catch (ExecutionException e) {
            log.debug(
                    "The topics {} could not be searched for", settings.shell().topics(), e);
            searchAt = clock.time().plus(backoff.next());
        }
    }

    /** Interrupts a running search. */
    @Override
    public void close() {
        if (search != null) {
            search.cancel(true);
        }
        if (searching != null) {
            DaemonThread.join(searching, CLOSE_LIMIT);
        }
    }
}
