package io.neli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.cluster.GroupView;
import io.neli.cluster.ServerProcess;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.RecordCodec;
import org.jspecify.annotations.Nullable;

/**
 * The kind of servers that tests of behaviour run on: Kafka's brokers, or what a module provides that runs the same
 * tests. Tests that are about Kafka have the tag {@value #KAFKA}.
 */
public interface TestServers {

    /** The tag of tests that no other servers can pass. */
    String KAFKA = "kafka";

    /** The system property that names another implementation than Kafka's, which has a public constructor. */
    String PROPERTY = "neli.test.servers";

    static TestServers get() {
        return Chosen.SERVERS;
    }

    /** The choice is made once. */
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

    /** A name for a group that no other test has. */
    static String unusedName(String prefix) {
        return prefix + "-" + ProcessHandle.current().pid() + "-" + Chosen.NAMES.incrementAndGet();
    }

    /** Where those are that tests in one JVM share; they are started first if nobody has asked for them. */
    String shared();

    /** A server in a process of its own. */
    ServerProcess start();

    /** What they know of a group. */
    GroupView view(String servers, String group);

    /** Of a member whose logs are there. */
    NeliBuilder builder(String servers);

    /** Where the logs of a group are, unless it has another name. */
    String topic(String group);

    /** Appends a record to the first partition, on the shared servers; returns its offset. */
    long append(String topic, byte @Nullable [] key, byte @Nullable [] value, Map<String, byte[]> headers);

    /** All that is in the first partition now, on the shared servers. */
    List<LogEntry> read(String topic, RecordCodec codec);

    /** For what its own threads are that a member at rest has. */
    Set<String> threadsAtRest();

    /** Whether a thread is one of the clients of a member. */
    boolean isOfClient(String threadName);

    /** What counts the requests of a member's clients. */
    List<String> countingClients();

    /** How many requests each of these has sent in this JVM. */
    Map<String, Long> requests();

    /** The clients of that member that have not ended; of all members if those cannot be told apart. */
    Set<String> clients(String member);
}
