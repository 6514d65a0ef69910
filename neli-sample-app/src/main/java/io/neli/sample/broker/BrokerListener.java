package io.neli.sample.broker;

/**
 * One way to the broker, on the loopback interface.
 *
 * @param name in capitals
 * @param port where the broker listens
 * @param advertisedPort where it tells its clients to come
 */
public record BrokerListener(String name, int port, int advertisedPort) {

    static final String HOST = "127.0.0.1";

    String listens() {
        return name + "://" + HOST + ":" + port;
    }

    String advertises() {
        return name + "://" + HOST + ":" + advertisedPort;
    }
}
