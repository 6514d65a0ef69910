package io.neli.cluster;

import java.io.IOException;

/** Apache Kafka's own main class, in a process that ends with the one that started it. */
public final class BrokerMain {

    private BrokerMain() {}

    public static void main(String[] args) {
        Thread parent = new Thread(BrokerMain::endWithParent, "parent");
        parent.setDaemon(true);
        parent.start();
        kafka.Kafka.main(args);
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said
            }
        } catch (IOException e) {
            // it has gone
        }
        Runtime.getRuntime().halt(1);
    }
}
