package io.neli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.harness.Network;

/** A port that a broker is not behind at first, and then is. */
final class Forwarder implements Closeable {

    private final int port = Network.freePort();
    private final List<Closeable> open = new CopyOnWriteArrayList<>();

    String address() {
        return "127.0.0.1:" + port;
    }

    /** Accepts connections and then says nothing. */
    void listen() {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            open.add(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the broker behind the port. */
    void forwardTo(String broker) {
        int colon = broker.lastIndexOf(':');
        InetSocketAddress target =
                new InetSocketAddress(broker.substring(0, colon), Integer.parseInt(broker.substring(colon + 1)));
        listen();
        ServerSocket server = (ServerSocket) open.get(open.size() - 1);
        run(() -> {
            while (true) {
                Socket client = server.accept();
                Socket upstream = new Socket(target.getAddress(), target.getPort());
                open.add(client);
                open.add(upstream);
                run(() -> copy(client, upstream));
                run(() -> copy(upstream, client));
            }
        });
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void run(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // closed
                    }
                },
                "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
    }
}
