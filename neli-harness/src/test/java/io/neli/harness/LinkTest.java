package io.neli.harness;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LinkTest {

    private static final int NOTHING_WITHIN_MILLIS = 50;
    private static final int LIMIT_MILLIS = 120_000;

    private final Network network = new Network();
    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket broker;
    private Link link;
    private Socket client;
    private Socket accepted;

    @BeforeEach
    void connect() throws IOException {
        broker = new ServerSocket(Network.freePort(), 50, InetAddress.getByName("127.0.0.1"));
        broker.setSoTimeout(LIMIT_MILLIS);
        link = network.link(broker.getLocalPort());
        client = dial();
        accepted = accept();
    }

    private Socket dial() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), link.port());
        socket.setSoTimeout(LIMIT_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private Socket accept() throws IOException {
        Socket socket = broker.accept();
        socket.setSoTimeout(LIMIT_MILLIS);
        sockets.add(socket);
        return socket;
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        broker.close();
        network.close();
    }

    private static void assertArrives(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(7);
        assertThat(to.getInputStream().read()).isEqualTo(7);
    }

    private static void assertArrivesNot(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(7);
        to.setSoTimeout(NOTHING_WITHIN_MILLIS);
        InputStream in = to.getInputStream();
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        to.setSoTimeout(LIMIT_MILLIS);
    }

    private static void assertEnded(Socket socket) {
        assertThat(endsWithin(socket)).isTrue();
    }

    private static boolean endsWithin(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // reset
        }
    }

    @Test
    void it_passes_on_both_ways() throws IOException {
        assertArrives(client, accepted);
        assertArrives(accepted, client);
        client.close();
        assertEnded(accepted);
    }

    @Test
    void a_silent_link_keeps_what_is_sent_until_it_is_healed() throws IOException {
        link.silence();
        assertArrivesNot(client, accepted);
        assertArrivesNot(accepted, client);
        Socket late = dial();
        link.pass();
        assertThat(accepted.getInputStream().read()).isEqualTo(7);
        assertThat(client.getInputStream().read()).isEqualTo(7);
        assertArrives(late, accept());
    }

    @Test
    void a_connection_that_ends_while_the_link_is_silent_ends_on_the_other_side_when_it_is_healed() throws IOException {
        link.silence();
        client.getOutputStream().write(7);
        client.shutdownOutput();
        accepted.setSoTimeout(NOTHING_WITHIN_MILLIS);
        assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        accepted.setSoTimeout(LIMIT_MILLIS);
        link.pass();
        assertThat(accepted.getInputStream().read()).isEqualTo(7);
        assertEnded(accepted);
    }

    @Test
    void where_nothing_listens_a_connection_ends_at_once_and_later_ones_work() throws IOException {
        int port = broker.getLocalPort();
        broker.close();
        assertEnded(dial());
        broker = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        broker.setSoTimeout(LIMIT_MILLIS);
        assertArrives(dial(), accept());
    }

    @Test
    void closing_the_network_ends_connections_also_of_a_silent_link() {
        link.silence();
        network.close();
        assertEnded(client);
        assertEnded(accepted);
    }

    @Test
    void a_one_way_link_passes_on_the_other_way() throws IOException {
        link.silenceToBroker();
        assertArrives(accepted, client);
        assertArrivesNot(client, accepted);
        link.pass();
        assertThat(accepted.getInputStream().read()).isEqualTo(7);
        link.silenceToClient();
        assertArrives(client, accepted);
        assertArrivesNot(accepted, client);
    }

    @Test
    void a_slow_link_delays_without_holding_up_what_follows() throws IOException {
        Duration delay = Duration.ofMillis(100);
        link.delay(delay);
        long sent = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            client.getOutputStream().write(i);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(accepted.getInputStream().read()).isEqualTo(i);
        }
        assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(delay.toNanos());
    }

    @Test
    void a_reset_ends_connections_and_allows_new_ones() throws IOException {
        link.reset();
        assertEnded(client);
        assertEnded(accepted);
        assertArrives(dial(), accept());
    }

    @Test
    void a_link_that_refuses_can_be_healed_on_the_same_port() throws IOException {
        link.refuse();
        assertEnded(client);
        assertThatThrownBy(this::dial).isInstanceOf(IOException.class);
        link.pass();
        assertArrives(dial(), accept());
    }

    @Test
    void only_requests_of_groups_are_cut_off_from_the_coordinator() throws IOException {
        link.cutCoordinator();
        client.getOutputStream().write(request(ApiKeys.PRODUCE));
        client.getOutputStream().write(request(ApiKeys.FETCH));
        assertThat(accepted.getInputStream().readNBytes(40)).hasSize(40);
        client.getOutputStream().write(request(ApiKeys.HEARTBEAT));
        assertEnded(client);
        assertEnded(accepted);
    }

    private static byte[] request(ApiKeys key) {
        return ByteBuffer.allocate(20).putInt(16).putShort(key.id).array();
    }
}
