package io.neli.nats;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.neli.TestServers;
import io.neli.harness.Network;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The run records of a group's jobs, which several members read and write. */
@Needs(Program.NATS_SERVER)
class NatsRunStoreIT {

    private static final RunKey KEY = new RunKey("job", 1, 0);
    private static final RunRecord BEGUN =
            new RunRecord("job", Instant.EPOCH, Instant.EPOCH, null, false, "fixedRate=PT1S", "first", 1);
    private static final int READS = 300;

    private final String group = TestServers.unusedName("runs");

    private NatsRunStore store(Options options) {
        ShellSettings some = LeaderStreamTest.SETTINGS;
        ShellSettings settings = new ShellSettings(
                some.name(), group, group, some.candidate(), some.priority(), some.roles(), some.election());
        return new NatsRunStore(options, "shown", settings, new Creation(true, null, Duration.ofHours(1)));
    }

    @Test
    void a_record_that_another_member_replaces_meanwhile_is_read() throws Exception {
        String url = new NatsServers().shared();
        Options options = Options.builder().server(url).build();
        AtomicBoolean replaces = new AtomicBoolean();
        try (NatsRunStore first = store(options);
                NatsRunStore second = store(options)) {
            first.write(KEY, BEGUN).toCompletableFuture().get();
            Connection connection = NatsServers.connect(url);
            try {
                connection
                        .createDispatcher(mark -> {
                            if (replaces.getAndSet(false)) {
                                first.write(KEY, BEGUN);
                            }
                        })
                        .subscribe("$KV." + group + "-runs.mark");
                connection.flush(PATIENCE);
                for (int i = 0; i < READS; i++) {
                    replaces.set(true);
                    assertThat(second.read()).containsOnlyKeys(KEY);
                }
            } finally {
                NatsServers.close(connection);
            }
        }
    }

    @Test
    void a_read_that_makes_progress_has_no_limit() throws Exception {
        AtomicLong read = new AtomicLong();
        AtomicReference<NatsRunStore.Reader> reader = new AtomicReference<>();
        try (NatsRunStore store = store(Options.builder().build())) {
            MemberClock clock = () -> { // each entry takes three seconds
                long entry = read.incrementAndGet();
                reader.get().read("entry", Optional.empty(), entry);
                return new Moment(new MonotonicTime(Duration.ofSeconds(3).toNanos() * entry), 0);
            };
            reader.set(store.new Reader(clock));
            reader.get().await(20);
        }
        assertThat(read).hasValue(20);
    }

    @Test
    void a_bucket_that_is_changed_meanwhile_is_refused() throws Exception {
        String url = new NatsServers().shared();
        Connection connection = NatsServers.connect(url);
        try (NatsRunStore store = store(Options.builder().server(url).build())) {
            store.prepare();
            JetStreamManagement streams = connection.jetStreamManagement();
            StreamConfiguration bucket =
                    streams.getStreamInfo("KV_" + group + "-runs").getConfiguration();
            streams.updateStream(StreamConfiguration.builder(bucket)
                    .maxAge(Duration.ofHours(1))
                    .build());
            assertThat(store.describe(catchThrowable(store::read)).text()).contains("a TTL of PT1H");
        } finally {
            NatsServers.close(connection);
        }
    }

    @ParameterizedTest
    @CsvSource({"MEMORY, its storage is memory", "MESSAGES, it keeps at most 100 messages", "BYTES, 1000 bytes"})
    void a_bucket_that_may_forget_runs_is_refused(String what, String why) throws Exception {
        String url = new NatsServers().shared();
        StreamConfiguration.Builder bucket =
                StreamConfiguration.builder().name("KV_" + group + "-runs").subjects("$KV." + group + "-runs.>");
        switch (what) {
            case "MEMORY" -> bucket.storageType(StorageType.Memory);
            case "MESSAGES" -> bucket.maxMessages(100);
            default -> bucket.maxBytes(1_000);
        }
        Connection connection = NatsServers.connect(url);
        try (NatsRunStore store = store(Options.builder().server(url).build())) {
            connection.jetStreamManagement().addStream(bucket.build());
            assertThat(store.describe(catchThrowable(store::prepare)).text())
                    .contains("'" + group + "-runs' for the runs of jobs", why, "change it");
        } finally {
            NatsServers.close(connection);
        }
    }

    @Test
    void a_server_that_is_cut_off_from_its_cluster_is_left_for_another_one() throws Exception {
        try (NatsServer cutOff = NatsServer.start(
                        "--server_name",
                        "cut-off",
                        "--cluster_name",
                        "cluster",
                        "--cluster",
                        "nats://127.0.0.1:" + Network.freePort(),
                        "--routes",
                        "nats://127.0.0.1:" + Network.freePort());
                NatsRunStore store = store(Options.builder()
                        .servers(new String[] {cutOff.url(), new NatsServers().shared()})
                        .noRandomize()
                        .build())) {
            Throwable failure = catchThrowable(store::prepare);
            assertThat(failure).isNotNull();
            store.describe(failure);
            store.prepare();
        }
    }

    @Test
    void a_connection_that_was_lost_meanwhile_is_replaced_without_a_failure() throws Exception {
        String threads = LeaderStreamTest.SETTINGS.threadName("runs");
        try (NatsServer server = NatsServer.start();
                NatsRunStore store =
                        store(Options.builder().server(server.url()).build())) {
            store.write(KEY, BEGUN).toCompletableFuture().get();
            server.kill();
            eventually().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(each -> each.getName().startsWith(threads))); // the client has noticed
            server.restart();
            assertThat(store.read()).containsOnlyKeys(KEY);
        }
    }

    /** A thread may close the election after an interrupt. */
    @Test
    void a_thread_that_is_interrupted_disconnects_it_and_stays_interrupted() throws Exception {
        Set<String> before = new NatsServers().clients("member");
        NatsRunStore store =
                store(Options.builder().server(new NatsServers().shared()).build());
        store.read();
        Thread.currentThread().interrupt();
        store.close();
        boolean interrupted = Thread.interrupted();
        eventually().until(() -> before.containsAll(new NatsServers().clients("member")));
        assertThat(interrupted).isTrue();
    }

    /** The client waits for its callbacks, and then ends its other threads. */
    @Test
    void an_interrupt_while_a_connection_is_closed_leaves_no_threads_behind() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Connection connection = Nats.connect(Options.builder()
                .server(new NatsServers().shared())
                .connectionName("closed")
                .connectionListener((closed, event) -> {
                    if (event == ConnectionListener.Events.CLOSED) {
                        eventually().until(() -> interrupted.getCount() == 0);
                    }
                })
                .build());
        Thread closer = new Thread(() -> StreamConnection.close(connection));
        closer.start();
        eventually()
                .until(() -> connection.getStatus() == Connection.Status.CLOSED
                        && closer.getState() == Thread.State.TIMED_WAITING);
        closer.interrupt();
        interrupted.countDown();
        closer.join();
        eventually().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("closed:")));
    }

    @Test
    void it_is_closed_while_it_connects() throws Exception {
        Set<String> before = new NatsServers().clients("member");
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            NatsRunStore store = store(Options.builder()
                    .servers(new String[] {"nats://127.0.0.1:" + silent.getLocalPort(), new NatsServers().shared()})
                    .noRandomize()
                    .build());
            Future<?> connecting = ForkJoinPool.commonPool().submit(() -> {
                store.prepare();
                return null;
            });
            Socket accepted = silent.accept();
            store.close();
            accepted.close(); // now the client tries the other server, which answers
            assertThat(connecting).failsWithin(PATIENCE);
        }
        eventually().until(() -> before.containsAll(new NatsServers().clients("member")));
    }
}
