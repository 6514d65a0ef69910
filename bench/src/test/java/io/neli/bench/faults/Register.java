package io.neli.bench.faults;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.cluster.FencedWriter;
import io.neli.internal.shell.DaemonThread;

/** A store that refuses tokens smaller than the largest it has accepted, as fenced writes need. */
final class Register implements AutoCloseable {

    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final List<Decision> decisions = new ArrayList<>();
    private long largest;

    /**
     * A write and its result.
     *
     * @param largest the largest token accepted before
     */
    record Decision(long token, long largest, boolean accepted) {}

    Register() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThread.of("register", this::accept).start();
    }

    int port() {
        return server.getLocalPort();
    }

    /** All decisions, in order. */
    synchronized List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    private synchronized Decision decide(long token) {
        if (token == FencedWriter.QUESTION) {
            return new Decision(token, largest, false);
        }
        Decision decision = new Decision(token, largest, token >= largest);
        largest = Math.max(largest, token);
        decisions.add(decision);
        return decision;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                DaemonThread.of("register-client", () -> serve(client)).start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            while (true) {
                Decision decision = decide(in.readLong());
                out.writeLong(decision.accepted() ? decision.largest() : -1 - decision.largest());
                out.flush();
            }
        } catch (IOException e) {
            clients.remove(client); // the member has ended
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket client : clients) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
