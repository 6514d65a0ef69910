package io.neli;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.cluster.GroupView;
import io.neli.cluster.ServerProcess;
import org.jspecify.annotations.Nullable;

/**
 * The kind of servers on which tests of behaviour run: Kafka brokers, or those that another module provides. Tests of
 * Kafka itself have the tag {@value #KAFKA}.
 */
public interface TestServers {

    /** The tag of tests that only Kafka can pass. */
    String KAFKA = "kafka";

    /** The system property that names another implementation than Kafka's. It needs a public constructor. */
    String PROPERTY = "neli.test.servers";

    static TestServers get() {
        return Chosen.SERVERS;
    }

    /** The implementation, chosen once per JVM. */
    final class Chosen {

        private static final TestServers SERVERS = choose();
        private static final AtomicInteger NAMES = new AtomicInteger();

        private Chosen() {}

        private static TestServers choose() {
            String other = System.getProperty(PROPERTY);
            if (other == null) {
                return new KafkaServers();
            }
            try {
                return (TestServers) Class.forName(other).getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A group name that no other test uses. */
    static String unusedName(String prefix) {
        return prefix + "-" + ProcessHandle.current().pid() + "-" + Chosen.NAMES.incrementAndGet();
    }

    /** The address of the servers that all tests in a JVM share. Starts them on the first call. */
    String shared();

    /** Starts a server in a separate process. */
    ServerProcess start();

    /** What the servers know of a group. */
    GroupView view(String servers, String group);

    /** The builder of a member whose logs are on these servers. */
    NeliBuilder builder(String servers);

    /** The default topic of a group's logs. */
    String topic(String group);

    /** Appends a record to the first partition, on the shared servers; returns its offset. */
    long append(String topic, byte @Nullable [] key, byte @Nullable [] value, Map<String, byte[]> headers);

    /** The purposes of the threads of a member at rest. */
    Set<String> threadsAtRest();

    /** Whether a thread is one of the clients of a member. */
    boolean isOfClient(String threadName);

    /** The member's clients that have not ended, or those of all members if they cannot be told apart. */
    Set<String> clients(String member);
}
