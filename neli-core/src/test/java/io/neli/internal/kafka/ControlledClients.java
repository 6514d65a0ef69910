package io.neli.internal.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Real clients whose consumers a test can hold up and break. */
final class ControlledClients extends KafkaClients {

    final List<Control> readers = new CopyOnWriteArrayList<>();
    final List<Control> groups = new CopyOnWriteArrayList<>();

    /** The next clients are made held up when they open. */
    volatile boolean holdOpening;

    /** What a test does to one consumer. */
    static final class Control {
        private final Consumer<byte[], byte[]> consumer;
        private final boolean holdOpening;
        final AtomicInteger wakeups = new AtomicInteger();
        final AtomicInteger polls = new AtomicInteger();
        /** In vain. */
        final AtomicInteger openings = new AtomicInteger();

        private final AtomicInteger held = new AtomicInteger();
        private Hold hold = Hold.NONE;
        private @Nullable Throwable failure;
        private boolean woken;
        private volatile boolean leavesOpeningUnanswered;

        /** What a poll waits for. */
        private enum Hold {
            NONE,
            /** As with a wall clock set back: only a wakeup ends it. */
            UNTIL_WOKEN,
            /** As with a process that is frozen. */
            FROZEN
        }

        private Control(Consumer<byte[], byte[]> consumer, boolean holdOpening) {
            this.consumer = consumer;
            this.holdOpening = holdOpening;
        }

        synchronized void pollsOnlyEndWhenWoken() {
            hold = Hold.UNTIL_WOKEN;
        }

        synchronized void freeze() {
            hold = Hold.FROZEN;
            consumer.wakeup();
        }

        synchronized void release() {
            hold = Hold.NONE;
            notifyAll();
        }

        synchronized void failNextPoll(Throwable with) {
            failure = with;
            consumer.wakeup();
        }

        /** As with a partition whose broker is away. */
        void leaveOpeningUnanswered(boolean unanswered) {
            leavesOpeningUnanswered = unanswered;
        }

        boolean isHeld() {
            return held.get() > 0;
        }

        private synchronized void wakeup() {
            wakeups.incrementAndGet();
            woken = true;
            notifyAll();
        }

        private synchronized void beforePoll() throws Throwable {
            polls.incrementAndGet();
            held.incrementAndGet();
            try {
                while (hold == Hold.FROZEN || (hold == Hold.UNTIL_WOKEN && !woken)) {
                    wait();
                }
            } finally {
                held.decrementAndGet();
            }
            boolean endedByWakeup = hold == Hold.UNTIL_WOKEN;
            woken = false;
            if (failure != null) {
                Throwable thrown = failure;
                failure = null;
                throw thrown;
            }
            if (endedByWakeup) {
                throw new WakeupException();
            }
        }

        private synchronized void beforeOpening() {
            if (leavesOpeningUnanswered) {
                openings.incrementAndGet();
                throw new TimeoutException("meant to fail");
            }
            if (holdOpening) {
                held.incrementAndGet();
                try {
                    while (true) {
                        wait();
                    }
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                } finally {
                    held.decrementAndGet();
                }
            }
        }

        private @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "poll" -> beforePoll();
                case "endOffsets" -> beforeOpening();
                case "wakeup" -> wakeup();
                default -> {}
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
    Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        Control control = new Control(super.consumer(properties), holdOpening);
        (String.valueOf(properties.get("client.id")).endsWith("-log") ? readers : groups).add(control);
        return (Consumer<byte[], byte[]>)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Consumer.class}, control::invoke);
    }

    Control reader() {
        return readers.get(readers.size() - 1);
    }

    Control group() {
        return groups.get(groups.size() - 1);
    }
}
