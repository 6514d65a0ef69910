package io.neli.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;

import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Sits between clients and the broker and, on request, lets nothing through to the group coordinator: a
 * connection is cut as soon as a request of a consumer group appears on it. LogRules and writing topics goes on.
 */
final class CoordinatorProxy implements AutoCloseable {

    private static final Set<Short> GROUP_REQUESTS = Set.of(
            ApiKeys.FIND_COORDINATOR.id,
            ApiKeys.JOIN_GROUP.id,
            ApiKeys.SYNC_GROUP.id,
            ApiKeys.HEARTBEAT.id,
            ApiKeys.LEAVE_GROUP.id,
            ApiKeys.OFFSET_FETCH.id,
            ApiKeys.OFFSET_COMMIT.id);

    private final ServerSocket server;
    private final int brokerPort;
    private volatile boolean coordinatorCutOff;

    private CoordinatorProxy(ServerSocket server, int brokerPort) {
        this.server = server;
        this.brokerPort = brokerPort;
    }

    static CoordinatorProxy start(int brokerPort) throws IOException {
        CoordinatorProxy proxy =
                new CoordinatorProxy(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), brokerPort);
        startThread(proxy::accept);
        return proxy;
    }

    int port() {
        return server.getLocalPort();
    }

    void cutOffCoordinator() {
        coordinatorCutOff = true;
    }

    void restoreCoordinator() {
        coordinatorCutOff = false;
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "coordinator-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                startThread(() -> serve(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket broker = new Socket(InetAddress.getByName("127.0.0.1"), brokerPort)) {
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            startThread(() -> passAnswers(broker, client));
            passRequests(client, broker);
        } catch (IOException e) {
            // one of the two has gone, and the other learns it
        }
    }

    /** A request is an int32 with its size, an int16 that says what it is, and the rest. */
    private void passRequests(Socket client, Socket broker) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(broker.getOutputStream());
        while (true) {
            byte[] request = new byte[in.readInt()];
            in.readFully(request);
            short key = (short) ((request[0] & 0xff) << 8 | request[1] & 0xff);
            if (coordinatorCutOff && GROUP_REQUESTS.contains(key)) {
                return;
            }
            byte[] framed = new byte[Integer.BYTES + request.length];
            for (int i = 0; i < Integer.BYTES; i++) {
                framed[i] = (byte) (request.length >>> (8 * (Integer.BYTES - 1 - i)));
            }
            System.arraycopy(request, 0, framed, Integer.BYTES, request.length);
            out.write(framed);
        }
    }

    private static void passAnswers(Socket broker, Socket client) {
        try (broker;
                client) {
            InputStream in = broker.getInputStream();
            in.transferTo(client.getOutputStream());
        } catch (IOException e) {
            // one of the two has gone, and the other learns it
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // nothing hangs on it
        }
    }
}
