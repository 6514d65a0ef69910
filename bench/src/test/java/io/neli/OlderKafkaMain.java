package io.neli;

import io.neli.harness.ChildProcess;

/**
 * Runs ZooKeeper and a broker of an older version, whose libraries are on the class path, as one process. Its arguments
 * are their property files.
 */
final class OlderKafkaMain {

    private OlderKafkaMain() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        ChildProcess.endWithParent();
        Thread keeper = new Thread(
                () -> {
                    try {
                        run("org.apache.zookeeper.server.quorum.QuorumPeerMain", args[0]);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "zookeeper");
        keeper.setDaemon(true);
        keeper.start();
        run("kafka.Kafka", args[1]); // waits for ZooKeeper, up to 18 s
    }

    private static void run(String main, String file) throws ReflectiveOperationException {
        Class.forName(main).getMethod("main", String[].class).invoke(null, (Object) new String[] {file});
    }
}
