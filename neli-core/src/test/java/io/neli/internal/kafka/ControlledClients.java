package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;

/** Real clients that a test can delay and break. */
final class ControlledClients extends KafkaClients {

    final List<Control> readers = new CopyOnWriteArrayList<>();

    private final ClientProperties properties;
    private final CountDownLatch connect = new CountDownLatch(1);

    /** Makes new connections wait for the topic until the test lets them continue, or interrupts them. */
    volatile boolean holdConnecting;

    /** How many threads wait. */
    final AtomicInteger heldConnecting = new AtomicInteger();

    /** Partitions whose begin and end are not answered, as if their leader were down. */
    final Set<Integer> unreachable = ConcurrentHashMap.newKeySet();

    /** How many records a log loses, once, right after the brokers have reported its end. */
    final AtomicLong nextLoss = new AtomicLong();

    /** How often a log was opened in vain. */
    final AtomicInteger openings = new AtomicInteger();

    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();

    ControlledClients(KafkaSettings settings) {
        super(settings);
        this.properties = new ClientProperties(settings);
    }

    /** A reader that a test controls. */
    static final class Control extends KafkaConsumer<byte[], byte[]> {
        private final AtomicInteger polls = new AtomicInteger();
        private @Nullable Throwable failure;

        private Control(Map<String, Object> properties) {
            super(properties);
        }

        synchronized void failNextPoll(Throwable with) {
            failure = with;
            wakeup();
        }

        private synchronized void failOnce() {
            Throwable thrown = failure;
            failure = null;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown != null) {
                throw (RuntimeException) thrown;
            }
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls.incrementAndGet();
            failOnce();
            return super.poll(timeout);
        }
    }

    @Override
    Consumer<byte[], byte[]> reader(String purpose) {
        Control control = new Control(properties.reader(purpose));
        readers.add(control);
        return control;
    }

    @Override
    Admin admin() {
        boolean held = holdConnecting; // an earlier client is answered, whose questions the election's thread asks
        return new ForwardingAdmin(properties.admin()) {
            @Override
            public DescribeTopicsResult describeTopics(TopicCollection topics, DescribeTopicsOptions options) {
                if (held && holdConnecting) {
                    hold();
                }
                return super.describeTopics(topics, options);
            }

            @Override
            public ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> asked, ListOffsetsOptions options) {
                return reachable(asked, super.listOffsets(asked, options));
            }
        };
    }

    void letConnect() {
        holdConnecting = false;
        connect.countDown();
    }

    private void hold() {
        heldConnecting.incrementAndGet();
        try {
            connect.await();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            heldConnecting.decrementAndGet();
        }
    }

    private ListOffsetsResult reachable(Map<TopicPartition, OffsetSpec> asked, ListOffsetsResult answered) {
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
        for (TopicPartition partition : asked.keySet()) {
            KafkaFuture<ListOffsetsResultInfo> answer = answered.partitionResult(partition);
            if (asked.get(partition) instanceof OffsetSpec.LatestSpec) {
                long lost = nextLoss.getAndSet(0);
                answer = answer.thenApply(
                        end -> new ListOffsetsResultInfo(end.offset() + lost, end.timestamp(), end.leaderEpoch()));
            }
            if (unreachable.contains(partition.partition())) {
                openings.incrementAndGet();
                KafkaFutureImpl<ListOffsetsResultInfo> failed = new KafkaFutureImpl<>();
                failed.completeExceptionally(new TimeoutException("meant to fail"));
                answer = failed;
            }
            answers.put(partition, answer);
        }
        return new ListOffsetsResult(answers);
    }

    /** Makes the writer forget the topic for good, like one of Kafka that misses a change of its id. */
    void forget(String topic) {
        forgotten.add(topic);
    }

    @Override
    Producer<byte[], byte[]> writer() {
        return new KafkaProducer<>(properties.writer()) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                if (forgotten.contains(topic)) {
                    throw new TimeoutException("meant to fail");
                }
                return super.partitionsFor(topic);
            }
        };
    }

    Control reader() {
        return readers.get(readers.size() - 1);
    }

    /** The readers except those of connections that failed before they were used, because the broker was slow. */
    List<Control> usedReaders() {
        return readers.stream().filter(reader -> reader.polls.get() > 0).toList();
    }
}
