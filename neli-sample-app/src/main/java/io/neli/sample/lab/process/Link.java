package io.neli.sample.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network between one instance and the broker: a port on the loopback interface whose connections go on to another.
 * While it is cut, no byte passes in either direction, not even the news of a connection's end, and connections are made but
 * stay silent, as if all packets were lost. When it is healed everything goes on where it stood, as TCP would see to.
 */
public final class Link implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Link.class);

    private static final Duration END = Duration.ofSeconds(2);

    private final String name;
    private final ServerSocket server;
    private final int target;
    private final Gate gate = new Gate();
    private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;

    private volatile boolean closed;

    private Link(String name, ServerSocket server, int target) {
        this.name = name;
        this.server = server;
        this.target = target;
        this.acceptor = new Thread(this::accept, "link-" + name);
        acceptor.setDaemon(true);
    }

    /**
     * Opens one, on any port.
     *
     * @param target the port that its connections go on to; nothing need be there yet
     */
    public static Link open(String name, int target) throws IOException {
        Link link = new Link(name, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        link.acceptor.start();
        return link;
    }

    /** Where to connect to. */
    public int port() {
        return server.getLocalPort();
    }

    public void cut() {
        gate.close();
    }

    public void heal() {
        gate.open();
    }

    /** While it is cut, the kernel makes a limited number of connections, and nobody sees them. */
    private void accept() {
        try {
            while (!closed) {
                gate.await();
                Socket client = server.accept();
                gate.await();
                connect(client);
            }
        } catch (IOException e) {
            if (!closed) {
                log.error("The link of {} takes no connections any more", name, e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect(Socket client) {
        LinkConnection connection;
        try {
            connection = LinkConnection.open(name, client, target, gate, connections::remove);
        } catch (IOException e) {
            refuse(client); // nothing listens there, or the client has gone meanwhile
            return;
        }
        connections.add(connection);
        connection.start();
        if (closed) {
            connection.close();
        }
    }

    /** With a reset: not to linger is as near to a refused connection as one can come who has taken it. */
    private static void refuse(Socket client) {
        try (client) {
            client.setSoLinger(true, 0);
        } catch (IOException e) {
            // some systems let nothing be set on a connection that its client has reset
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
        connections.forEach(LinkConnection::close);
        gate.open();
        try {
            acceptor.join(END.toMillis());
            for (LinkConnection connection : connections) {
                connection.join(END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
