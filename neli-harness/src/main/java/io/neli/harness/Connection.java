package io.neli.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/** One connection of a {@link Link}: two sockets, and the data on the way between them. */
final class Connection {

    private static final int MOST_ON_THE_WAY = 1 << 20;

    private final SocketChannel client;
    private final SocketChannel broker;
    private final SelectionKey clientKey;
    private final SelectionKey brokerKey;
    private final Direction toBroker;
    private final Direction toClient;
    private final GroupRequests requests = new GroupRequests();
    private final InetSocketAddress target;
    private boolean connecting;
    private boolean connected;

    Connection(Selector selector, SocketChannel client, InetSocketAddress target) throws IOException {
        this.client = client;
        this.target = target;
        this.broker = SocketChannel.open();
        this.toBroker = new Direction(client, broker);
        this.toClient = new Direction(broker, client);
        client.configureBlocking(false);
        broker.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        broker.setOption(StandardSocketOptions.TCP_NODELAY, true);
        clientKey = client.register(selector, 0, (Runnable) () -> toBroker.ready = true);
        brokerKey = broker.register(selector, 0, (Runnable) () -> toClient.ready = true);
    }

    boolean isClosed() {
        return !client.isOpen();
    }

    /** Forwards all data that are due. Returns the nanoseconds until more are due. */
    long forward(long now, Link.Passing passing) {
        try {
            if (connecting && !connected) {
                connected = broker.finishConnect();
            } else if (!connecting && passing.toBroker) {
                connecting = true;
                connected = broker.connect(target);
            }
            long next = Long.MAX_VALUE;
            if (connected) {
                toBroker.read(now, passing.toBroker);
                if (!requests.allowed(toBroker.fresh(), passing.groupRequests)) {
                    reset();
                    return next;
                }
                toClient.read(now, passing.toClient);
                next = Math.min(
                        toBroker.write(now, passing.delayNanos, passing.toBroker),
                        toClient.write(now, passing.delayNanos, passing.toClient));
                if (toBroker.isOver() || toClient.isOver()) {
                    close();
                    return Long.MAX_VALUE;
                }
            }
            clientKey.interestOps(toBroker.readInterest(passing.toBroker) | toClient.writeInterest());
            brokerKey.interestOps(
                    connected
                            ? toClient.readInterest(passing.toClient) | toBroker.writeInterest()
                            : connecting ? SelectionKey.OP_CONNECT : 0);
            return next;
        } catch (IOException | CancelledKeyException e) {
            reset();
            return Long.MAX_VALUE;
        }
    }

    void reset() {
        try {
            client.setOption(StandardSocketOptions.SO_LINGER, 0);
            broker.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // the connection has ended already
        }
        close();
    }

    private void close() {
        try (client;
                broker) {
            toBroker.waiting.clear();
            toClient.waiting.clear();
        } catch (IOException e) {
            // the sockets are not used again
        }
    }

    private record Chunk(ByteBuffer bytes, long readAt) {}

    private static final class Direction {

        private final SocketChannel from;
        private final SocketChannel to;
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        private final Deque<Chunk> waiting = new ArrayDeque<>();
        private ByteBuffer fresh = ByteBuffer.allocate(0);
        private int size;
        private boolean ready;
        private boolean ended;
        private boolean full;

        Direction(SocketChannel from, SocketChannel to) {
            this.from = from;
            this.to = to;
        }

        private boolean reads(boolean passes) {
            return passes && !ended && size < MOST_ON_THE_WAY;
        }

        void read(long now, boolean passes) throws IOException {
            fresh = ByteBuffer.allocate(0);
            if (!ready || !reads(passes)) {
                return;
            }
            ready = false;
            buffer.clear();
            int count = from.read(buffer);
            if (count < 0) {
                ended = true;
            } else if (count > 0) {
                buffer.flip();
                fresh = ByteBuffer.allocate(count).put(buffer).flip();
                waiting.add(new Chunk(fresh, now));
                size += count;
            }
        }

        /** What the last call of {@code read} has read. */
        ByteBuffer fresh() {
            return fresh.duplicate();
        }

        long write(long now, long delay, boolean passes) throws IOException {
            full = false;
            while (passes && !waiting.isEmpty()) {
                Chunk first = waiting.element();
                long left = first.readAt() + delay - now;
                if (left > 0) {
                    return left;
                }
                size -= to.write(first.bytes());
                if (first.bytes().hasRemaining()) {
                    full = true;
                    return Long.MAX_VALUE;
                }
                waiting.remove();
            }
            return Long.MAX_VALUE;
        }

        boolean isOver() {
            return ended && waiting.isEmpty();
        }

        int readInterest(boolean passes) {
            return reads(passes) ? SelectionKey.OP_READ : 0;
        }

        int writeInterest() {
            return full ? SelectionKey.OP_WRITE : 0;
        }
    }
}
