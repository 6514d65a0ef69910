package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this member in the consumer group, to receive its plan through {@link NeliAssignor}. Fetches nothing; the
 * partitions that Kafka assigns do not matter. Leadership does not wait for the group. Runs on its own thread.
 */
final class GroupMember implements NeliAssignor.Delegate, Runnable {

    private static final Logger log = LoggerFactory.getLogger(GroupMember.class);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(100);

    private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);

    /** More than a rebalance takes, even if members have died. */
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(30);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private final ElectionDriver driver;
    private final KafkaClients clients;
    private final AtomicBoolean rejoin = new AtomicBoolean();
    private final AtomicBoolean renewed = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Consumer<byte[], byte[]> consumer;

    /** From when on it is a problem that the group has not been joined. */
    private MonotonicTime overdueAt = MonotonicTime.NEVER;

    GroupMember(
            KafkaSettings settings, MemberClock clock, Problems problems, ElectionDriver driver, KafkaClients clients) {
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
        this.driver = driver;
        this.clients = clients;
    }

    /** Asks for a rebalance at the next poll. May be called from any thread. */
    void rejoin() {
        if (!rejoin.getAndSet(true)) {
            wakeup();
        }
    }

    /** Leaves the group and joins it as another member. May be called from any thread. */
    void renewed() {
        renewed.set(true);
        wakeup();
    }

    /** Called on the group's thread. */
    @Override
    public MemberMetadata metadata() {
        return driver.metadata();
    }

    /** Called on the group's thread. */
    @Override
    public void assigned(MemberPlan plan) {
        driver.assigned(plan);
    }

    /** Leaves the group. May be called from any thread. */
    void close() {
        closed.countDown();
        wakeup();
    }

    private void wakeup() {
        Consumer<byte[], byte[]> current = consumer;
        if (current != null) {
            current.wakeup();
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void run() {
        Backoff backoff = new Backoff(SHORTEST_BACKOFF, LONGEST_BACKOFF);
        while (!isClosed()) {
            MonotonicTime start = clock.time();
            try {
                takePart();
            } catch (Throwable e) { // nothing may end the membership
                report(e);
                log.debug(
                        "Group {}: the group's client is rebuilt",
                        settings.shell().groupId(),
                        e);
            }
            if (clock.time().hasReached(start.plus(LONGEST_BACKOFF))) { // it worked: this failure is the first
                backoff.reset();
            }
            try {
                if (closed.await(backoff.next().toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void report(Throwable failure) {
        problems.report(Problems.Source.GROUP, new KafkaProblems(settings).ofGroup(failure));
    }

    private void takePart() {
        Consumer<byte[], byte[]> current = clients.group(this);
        consumer = current;
        overdueAt = clock.time().plus(JOIN_LIMIT);
        try {
            current.subscribe(Set.of(settings.shell().topic()), new Joined(current));
            while (!isClosed() && !renewed.getAndSet(false)) {
                poll(current);
                if (clock.time().hasReached(overdueAt)) { // the client itself looks for a coordinator forever
                    report(new TimeoutException(
                            "no answer for " + JOIN_LIMIT.toSeconds() + " s; __consumer_offsets may have no leader"));
                }
            }
        } finally {
            consumer = null;
            current.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }

    private void poll(Consumer<byte[], byte[]> current) {
        try {
            if (rejoin.getAndSet(false)) {
                current.enforceRebalance("who leads or is eligible has changed");
            }
            current.poll(POLL); // may return before the group has been joined
        } catch (WakeupException e) {
            // woken by rejoin, renewed or close
        }
    }

    private final class Joined implements ConsumerRebalanceListener {

        private final Consumer<byte[], byte[]> current;

        Joined(Consumer<byte[], byte[]> current) {
            this.current = current;
        }

        /** Keeps the client from fetching, and from asking for committed offsets. */
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            overdueAt = MonotonicTime.NEVER;
            problems.clear(Problems.Source.GROUP);
            current.pause(partitions);
            partitions.forEach(partition -> current.seek(partition, 0));
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // does not affect who leads
        }
    }
}
