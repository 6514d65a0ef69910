package io.neli.sample.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The test is both ends: a client of the link, and the server behind it. */
@Tag("proof")
@Timeout(180)
class LinkTest {

    private static final int LONG = 60_000;
    private static final int SHORT = 200;

    private ServerSocket server;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(LONG);
        link = Link.open("alice", server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
        await("no thread of the link is left")
                .atMost(Duration.ofMillis(LONG))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("link-alice")));
    }

    @Test
    void bytes_pass_in_both_directions() throws IOException {
        try (Socket client = connect();
                Socket behind = accept()) {
            client.getOutputStream().write(1);
            assertThat(read(behind)).isEqualTo(1);
            behind.getOutputStream().write(2);
            assertThat(read(client)).isEqualTo(2);
        }
    }

    @Test
    void nothing_passes_while_it_is_cut_and_all_of_it_when_it_is_healed() throws IOException {
        try (Socket client = connect();
                Socket behind = accept()) {
            link.cut();
            client.getOutputStream().write(1);
            behind.getOutputStream().write(2);
            assertSilent(client);
            assertSilent(behind);

            link.heal();
            assertThat(read(behind)).isEqualTo(1);
            assertThat(read(client)).isEqualTo(2);
        }
    }

    @Test
    void a_connection_that_ends_while_it_is_cut_ends_on_the_other_side_when_it_is_healed() throws IOException {
        try (Socket client = connect();
                Socket behind = accept()) {
            link.cut();
            client.getOutputStream().write(1);
            client.shutdownOutput();
            assertSilent(behind);

            link.heal();
            assertThat(read(behind)).isEqualTo(1);
            assertThat(read(behind)).isEqualTo(-1);
        }
    }

    @Test
    void a_connection_that_is_made_while_it_is_cut_is_silent_until_it_is_healed() throws IOException {
        link.cut();
        try (Socket client = connect()) {
            client.getOutputStream().write(1);
            server.setSoTimeout(SHORT);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);

            server.setSoTimeout(LONG);
            link.heal();
            try (Socket behind = accept()) {
                assertThat(read(behind)).isEqualTo(1);
            }
        }
    }

    @Test
    void where_nothing_listens_a_connection_ends_at_once_and_later_ones_work() throws IOException {
        int port = server.getLocalPort();
        server.close();
        try (Socket client = connect()) {
            assertThat(readOrReset(client)).isEqualTo(-1);
        }

        server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        try (Socket client = connect();
                Socket behind = accept()) {
            client.getOutputStream().write(1);
            assertThat(read(behind)).isEqualTo(1);
        }
    }

    @Test
    void when_one_side_ends_so_does_the_other() throws IOException {
        try (Socket client = connect();
                Socket behind = accept()) {
            behind.shutdownOutput();
            assertThat(readOrReset(client)).isEqualTo(-1);
        }
    }

    @Test
    void closing_it_ends_its_connections_also_while_it_is_cut() throws IOException {
        try (Socket client = connect();
                Socket behind = accept()) {
            link.cut();
            link.close();
            assertThat(readOrReset(client)).isEqualTo(-1);
            assertThat(readOrReset(behind)).isEqualTo(-1);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), link.port());
    }

    private Socket accept() throws IOException {
        return server.accept();
    }

    private static int read(Socket socket) throws IOException {
        socket.setSoTimeout(LONG);
        return socket.getInputStream().read();
    }

    private static int readOrReset(Socket socket) throws IOException {
        try {
            return read(socket);
        } catch (SocketException e) {
            return -1;
        }
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }
}
