package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of a connection: which of them can be used, whether these are still the same, and the search for the others, on a
 * thread of its own. A connection lasts as long as a majority of them can be used. Belongs to one thread.
 */
final class ConnectedTopics implements LogCheck.Topics, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConnectedTopics.class);

    private static final Duration SEARCH_LIMIT = Duration.ofSeconds(60);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final LeaderTopics topics;
    private final Admin admin;
    private final Runnable answered;
    private final ExecutorService searching;
    private final Map<Integer, TopicIdentity> usable = new TreeMap<>();
    private final Map<Integer, Set<Integer>> brokers = new TreeMap<>();
    private final Map<Integer, RuntimeException> failures = new TreeMap<>();
    private final Set<Integer> lost = new HashSet<>();

    /** Those that were lost since the search began: what it finds of them may be outdated. */
    private final Set<Integer> lostMeanwhile = new HashSet<>();

    private Backoff backoff = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
    private MonotonicTime searchAt = MonotonicTime.NEVER;
    private @Nullable Future<Map<Integer, LeaderTopics.Found>> search;

    /**
     * Nothing is known of them yet.
     *
     * @param answered called on any thread when {@link #found} may have something to return
     */
    ConnectedTopics(KafkaSettings settings, MemberClock clock, LeaderTopics topics, Admin admin, Runnable answered) {
        this.settings = settings;
        this.clock = clock;
        this.topics = topics;
        this.admin = admin;
        this.answered = answered;
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                IDLE_LIMIT.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                task -> DaemonThread.of("neli-" + settings.shell().name() + "-topic", task));
        executor.allowCoreThreadTimeOut(true);
        this.searching = executor;
    }

    /** Begins to look for all of them. */
    void search() {
        searchAt = MonotonicTime.NEVER;
        lostMeanwhile.clear();
        Set<Integer> inUse = Set.copyOf(usable.keySet());
        Callable<Map<Integer, LeaderTopics.Found>> task = () -> {
            try {
                return topics.ensure(admin, inUse);
            } finally {
                answered.run();
            }
        };
        search = searching.submit(task);
    }

    /**
     * Waits for the search, with a limit.
     *
     * @throws RuntimeException why fewer than a majority of them can be used
     */
    void awaitFound() throws InterruptedException {
        Future<Map<Integer, LeaderTopics.Found>> current = search;
        if (current != null) {
            search = null;
            take(Answers.await(current, SEARCH_LIMIT));
        }
    }

    private Map<Integer, Uuid> take(Map<Integer, LeaderTopics.Found> result) {
        Map<Integer, Uuid> found = new TreeMap<>();
        result.forEach((number, each) -> {
            if (usable.containsKey(number) || lostMeanwhile.contains(number)) {
                return; // its identity is checked anyway; or the answer is outdated
            }
            if (each instanceof LeaderTopics.Found.Usable topic) {
                use(number, topic);
                found.put(number, topic.id());
            } else if (each instanceof LeaderTopics.Found.Unusable unusable) {
                failures.put(number, unusable.why());
                log.debug("The topic {} cannot be used", settings.shell().topic(number), unusable.why());
            }
        });
        requireMajority();
        if (failures.isEmpty()) {
            backoff = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
        } else {
            searchAt = clock.time().plus(backoff.next(false));
        }
        return found;
    }

    private void use(int number, LeaderTopics.Found.Usable topic) {
        usable.put(
                number,
                new TopicIdentity(
                        settings.namedTopic(number),
                        topic.id(),
                        settings.shell().election().leaseDuration(),
                        clock,
                        () -> topics.id(admin, number)));
        brokers.put(number, topic.brokers());
        failures.remove(number);
    }

    private void requireMajority() {
        if (usable.size() < settings.shell().majority()) {
            throw failures.values().stream().findFirst().orElseThrow();
        }
    }

    /**
     * A topic cannot be used any more: it is searched for again.
     *
     * @throws RuntimeException the failure, if fewer than a majority are left
     */
    @Override
    public void fail(int number, RuntimeException why) {
        if (usable.remove(number) == null) {
            return;
        }
        lost.add(number);
        lostMeanwhile.add(number);
        failures.put(number, why);
        if (usable.size() < settings.shell().majority()) {
            throw why;
        }
        searchAt = clock.time();
    }

    /** Those that cannot be used any more, since the last call. */
    Set<Integer> takeLost() {
        Set<Integer> taken = Set.copyOf(lost);
        lost.clear();
        return taken;
    }

    /** The ids of those that can be used, by the number of their logs. */
    Map<Integer, Uuid> ids() {
        Map<Integer, Uuid> ids = new TreeMap<>();
        usable.forEach((number, identity) -> ids.put(number, identity.id()));
        return ids;
    }

    /** Why the others cannot be used. */
    Map<Integer, RuntimeException> failures() {
        return failures;
    }

    /** The brokers of a topic, as far as they are known. */
    Set<Integer> brokers(int number) {
        return brokers.getOrDefault(number, Set.of());
    }

    /** Its identity is to be confirmed before a log of it is opened. */
    void doubt(int number) {
        TopicIdentity identity = usable.get(number);
        if (identity != null) {
            identity.doubt();
        }
    }

    /** The brokers have said that there is no such topic. */
    @Override
    public void suspect(int number) {
        TopicIdentity identity = usable.get(number);
        if (identity != null) {
            identity.suspect();
        }
    }

    /** Whether it can be used, and is known to be the same. */
    boolean isConfirmed(int number) {
        TopicIdentity identity = usable.get(number);
        return identity != null && !identity.isInDoubt();
    }

    /** Whether {@link #found} should be called again soon. */
    boolean areInDoubt() {
        return usable.values().stream().anyMatch(TopicIdentity::isInDoubt);
    }

    /** When {@link #found} has something to do, unless an answer comes before. */
    MonotonicTime searchAt() {
        return search == null ? searchAt : MonotonicTime.NEVER;
    }

    /**
     * Checks those that can be used, and keeps searching for the others. Never waits.
     *
     * @return the ids of those that can be used from now on, by the number of their logs
     * @throws RuntimeException if fewer than a majority can be used
     */
    Map<Integer, Uuid> found() {
        for (Map.Entry<Integer, TopicIdentity> each : List.copyOf(usable.entrySet())) {
            try {
                each.getValue().check();
            } catch (RuntimeException e) {
                fail(each.getKey(), e);
            }
        }
        Future<Map<Integer, LeaderTopics.Found>> current = search;
        if (current != null && current.isDone()) {
            search = null;
            return result(current);
        }
        if (current == null && clock.time().hasReached(searchAt)) {
            search();
        }
        return Map.of();
    }

    private Map<Integer, Uuid> result(Future<Map<Integer, LeaderTopics.Found>> done) {
        try {
            return take(done.get());
        } catch (ExecutionException e) {
            log.debug("The topics {} could not be searched for", settings.topics(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        searchAt = clock.time().plus(backoff.next(false));
        return Map.of();
    }

    /** Interrupts the search where it is still running. */
    @Override
    public void close() {
        searching.shutdownNow();
        try {
            searching.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
