package io.neli.internal.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;

/** Real clients that a test can delay and break. */
final class ControlledClients extends KafkaClients {

    final List<Control> readers = new CopyOnWriteArrayList<>();

    private final CountDownLatch connect = new CountDownLatch(1);

    /** Makes threads that ask for the topic wait until the test lets them continue, or interrupts them. */
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
    private final AtomicInteger generation = new AtomicInteger();

    ControlledClients(KafkaSettings settings) {
        super(settings);
    }

    /** A test's control of a reader. */
    static final class Control {
        private final Consumer<byte[], byte[]> consumer;
        private final AtomicInteger polls = new AtomicInteger();
        private @Nullable Throwable failure;
        private volatile boolean standsStill;

        private Control(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        /** Makes polls return nothing from now on. */
        void standStill() {
            standsStill = true;
        }

        synchronized void failNextPoll(Throwable with) {
            failure = with;
            consumer.wakeup();
        }

        private synchronized void beforePoll() throws Throwable {
            polls.incrementAndGet();
            if (standsStill) {
                consumer.pause(consumer.assignment());
            }
            if (failure != null) {
                Throwable thrown = failure;
                failure = null;
                throw thrown;
            }
        }

        private @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("poll")) {
                beforePoll();
            }
            try {
                return method.invoke(consumer, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    Consumer<byte[], byte[]> reader(String purpose) {
        Control control = new Control(super.reader(purpose));
        readers.add(control);
        return (Consumer<byte[], byte[]>)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Consumer.class}, control::invoke);
    }

    @Override
    @SuppressWarnings("unchecked")
    Admin admin() {
        Admin admin = super.admin();
        return (Admin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("describeTopics") && holdConnecting) {
                        hold();
                    }
                    try {
                        Object result = method.invoke(admin, arguments);
                        return result instanceof ListOffsetsResult offsets
                                ? reachable((Map<TopicPartition, ?>) arguments[0], offsets)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
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

    private ListOffsetsResult reachable(Map<TopicPartition, ?> asked, ListOffsetsResult answered) {
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

    /** Makes the present writer forget the topic for good, like one of Kafka that misses a change of its id. */
    void forget(String topic) {
        forgotten.add(topic);
        generation.incrementAndGet();
    }

    @Override
    @SuppressWarnings("unchecked")
    Producer<byte[], byte[]> writer() {
        Producer<byte[], byte[]> writer = super.writer();
        int born = generation.get();
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Producer.class}, (proxy, method, arguments) -> {
                    boolean isOld = born < generation.get();
                    if (isOld && method.getName().equals("partitionsFor") && forgotten.contains(arguments[0])) {
                        throw new TimeoutException("meant to fail");
                    }
                    try {
                        return method.invoke(writer, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Control reader() {
        return readers.get(readers.size() - 1);
    }

    /** The readers except those of connections that failed before they were used, because the broker was slow. */
    List<Control> usedReaders() {
        return readers.stream().filter(reader -> reader.polls.get() > 0).toList();
    }
}
