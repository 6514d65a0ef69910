package io.neli.sample.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports for a server that will be stopped and started. */
public final class Ports {

    private Ports() {}

    /**
     * Free ports below those that the kernel gives to outgoing connections: otherwise clients that try to reach a stopped server
     * could get its port, even as both ends of one connection.
     */
    public static List<Integer> free(int count) throws IOException {
        Set<Integer> ports = new LinkedHashSet<>();
        for (int tries = 0; tries < 1000 && ports.size() < count; tries++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            if (isFree(port)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new IOException("Fewer than " + count + " ports are free on the loopback interface");
        }
        return List.copyOf(ports);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
