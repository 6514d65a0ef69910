package io.neli.sample.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network between one instance and one broker: a port on the loopback interface that forwards each connection to another
 * port. While it is cut, no byte passes in either direction, not even the end of a connection, and new connections stay silent,
 * as if all packets were lost. When it is healed everything continues, as with TCP.
 */
public final class Link implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Link.class);

    private final String name;
    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean cut;
    private volatile boolean closed;

    private Link(String name, ServerSocket server, int target) {
        this.name = name;
        this.server = server;
        this.target = target;
    }

    /**
     * Opens a link on any free port.
     *
     * @param target the port that connections are forwarded to; nothing need listen there yet
     */
    public static Link open(String name, int target) throws IOException {
        Link link = new Link(name, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        link.start(link::accept);
        return link;
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task, "link-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    public synchronized void cut() {
        cut = !closed;
    }

    public synchronized void heal() {
        cut = false;
        notifyAll();
    }

    private synchronized void awaitHealed() throws IOException {
        try {
            while (cut) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void accept() {
        try {
            while (!closed) {
                Socket client = server.accept();
                awaitHealed();
                connect(client);
            }
        } catch (IOException e) {
            if (!closed) {
                log.error("The link of {} accepts no more connections", name, e);
            }
        }
    }

    private void connect(Socket client) {
        Socket behind = new Socket();
        sockets.add(client);
        sockets.add(behind);
        try {
            client.setTcpNoDelay(true);
            behind.setTcpNoDelay(true);
            behind.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            start(() -> forward(client, behind));
            start(() -> forward(behind, client));
        } catch (IOException e) {
            close(client); // nothing listens there, or the client has ended meanwhile
            close(behind);
        }
        if (closed) {
            close(client);
            close(behind);
        }
    }

    /** The end of a connection is delayed, too, while the link is cut. */
    private void forward(Socket from, Socket to) {
        byte[] bytes = new byte[16 * 1024];
        try {
            int count;
            do {
                count = read(from, bytes);
                awaitHealed();
                if (count > 0) {
                    OutputStream output = to.getOutputStream();
                    output.write(bytes, 0, count);
                }
            } while (count >= 0);
        } catch (IOException e) {
            // one end is closed, and so the other will be
        }
        close(from);
        close(to);
    }

    private static int read(Socket from, byte[] bytes) {
        try {
            InputStream input = from.getInputStream();
            return input.read(bytes);
        } catch (IOException e) {
            return -1; // a reset is an end, too
        }
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // useless in either case
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            log.warn("Cannot close the link of {}", name, e);
        }
        sockets.forEach(this::close);
        heal();
    }
}
