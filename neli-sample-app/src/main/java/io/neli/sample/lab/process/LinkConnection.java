package io.neli.sample.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Consumer;

/** One connection through a {@link Link}: a thread for each direction, and the gate that both pass. */
final class LinkConnection {

    private final Socket client;
    private final Socket target;
    private final Gate gate;
    private final Consumer<LinkConnection> onEnd;
    private final Thread there;
    private final Thread back;

    private LinkConnection(String name, Socket client, Socket target, Gate gate, Consumer<LinkConnection> onEnd) {
        this.client = client;
        this.target = target;
        this.gate = gate;
        this.onEnd = onEnd;
        this.there = thread("link-" + name + "-there", client, target);
        this.back = thread("link-" + name + "-back", target, client);
    }

    static LinkConnection open(String name, Socket client, int port, Gate gate, Consumer<LinkConnection> onEnd)
            throws IOException {
        client.setTcpNoDelay(true);
        Socket target = new Socket();
        try {
            target.setTcpNoDelay(true);
            target.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            close(target);
            throw e;
        }
        return new LinkConnection(name, client, target, gate, onEnd);
    }

    private Thread thread(String name, Socket from, Socket to) {
        Thread thread = new Thread(() -> pass(from, to), name);
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        there.start();
        back.start();
    }

    /** The end of a connection has to pass the gate as well. */
    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[16 * 1024];
        try {
            int count;
            do {
                count = read(from, bytes);
                gate.await();
                if (count > 0) {
                    OutputStream output = to.getOutputStream();
                    output.write(bytes, 0, count);
                }
            } while (count >= 0);
        } catch (IOException e) {
            // one end is closed, and so the other will be
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        onEnd.accept(this);
    }

    private static int read(Socket from, byte[] bytes) {
        try {
            InputStream input = from.getInputStream();
            return input.read(bytes);
        } catch (IOException e) {
            return -1; // a reset ends it too
        }
    }

    void close() {
        close(client);
        close(target);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more in either case
        }
    }

    void join(Duration atMost) throws InterruptedException {
        there.join(atMost.toMillis());
        back.join(atMost.toMillis());
    }
}
