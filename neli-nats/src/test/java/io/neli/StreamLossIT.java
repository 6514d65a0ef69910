package io.neli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PurgeOptions;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.nats.NatsServer;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** The stream loses messages, or is lost, while members use it. */
@Needs(Program.NATS_SERVER)
class StreamLossIT {

    private static final Duration LONG_LEASE = Duration.ofSeconds(8);

    /** No test waits for its end. */
    private static final Duration PATIENT_LEASE = Duration.ofMinutes(5);

    private final String group = TestServers.unusedName("stream-loss");
    private NatsServer server;

    @BeforeEach
    void start() {
        server = NatsServer.start();
    }

    @AfterEach
    void end() {
        server.close();
    }

    private TestMember member(String name) {
        return member(name, TestMember.LEASE);
    }

    private TestMember member(String name, Duration lease) {
        TestMember member = TestMember.of(server.url(), group, name, builder -> builder.leaseDuration(lease));
        member.events.topicIsDeleted();
        member.neli.start();
        return member;
    }

    private interface Use<T> {
        T of(JetStreamManagement streams) throws Exception;
    }

    @SuppressWarnings("try") // closing may be interrupted
    private <T> T with(Use<T> use) throws Exception {
        Options options = Options.builder()
                .server(server.url())
                .connectionTimeout(TestMember.PATIENCE)
                .build();
        JetStreamOptions limits =
                JetStreamOptions.builder().requestTimeout(TestMember.PATIENCE).build();
        try (Connection connection = Nats.connect(options)) {
            return use.of(connection.jetStreamManagement(limits));
        }
    }

    private static void awaitOneLeads(TestMember... members) {
        eventually().until(() -> Arrays.stream(members).anyMatch(member -> member.neli.isLeader()));
        for (TestMember member : members) {
            eventually().until(() -> member.neli.leader().isPresent());
            member.awaitNoProblem();
        }
    }

    /** Waits until this member sees a leader with a larger token. */
    private static void awaitLeaderAfter(long token, TestMember member) {
        eventually().untilAsserted(() -> assertThat(member.neli.leader())
                .hasValueSatisfying(leader -> assertThat(leader.token()).isGreaterThan(token)));
    }

    @Test
    void a_stream_that_is_deleted_is_created_again_and_the_tokens_grow() throws Exception {
        try (TestMember leader = member("leader")) {
            long token = leader.awaitLead().token();
            try (TestMember standby = member("standby")) {
                eventually().until(() -> standby.neli.leader().isPresent());

                with(streams -> streams.deleteStream(group));

                LeaderFenced fenced = leader.awaitEvent(LeaderFenced.class);
                assertThat(fenced.token()).isEqualTo(token);
                awaitOneLeads(leader, standby);
                awaitLeaderAfter(token, leader);
                eventually().until(() -> leader.neli.snapshot().groupMembers() == 2);
            }
        }
    }

    @Test
    void a_purge_of_what_was_read_disturbs_nobody() throws Exception {
        try (TestMember leader = member("leader", PATIENT_LEASE)) {
            long token = leader.awaitLead().token();
            eventually().until(() -> readUpTo() > 10);
            with(streams -> streams.purgeStream(
                    group, PurgeOptions.builder().sequence(10).build()));
            try (TestMember standby = member("standby", PATIENT_LEASE)) {
                eventually().until(() -> standby.neli.leader().isPresent());
                assertThat(leader.awaitLead().token()).isEqualTo(token);
                leader.neli.close();
                assertThat(standby.awaitLead().token()).isGreaterThan(token);
            }
        }
    }

    @Test
    void a_member_that_starts_where_a_message_was_deleted_reads_what_comes_after_it() throws Exception {
        try (TestMember leader = member("leader")) {
            long token = leader.awaitLead().token();
            with(streams -> {
                long last = streams.getStreamInfo(group).getStreamState().getLastSequence();
                return streams.deleteMessage(group, last - 1);
            });
            try (TestMember standby = member("standby")) {
                eventually().until(() -> standby.neli.leader().isPresent());
                standby.awaitNoProblem();
                leader.neli.close();
                assertThat(standby.awaitLead().token()).isGreaterThan(token);
            }
        }
    }

    /** Simulates a power failure: the server loses what was not yet on its disk. */
    @Tag("proof")
    @Test
    void a_server_that_has_lost_the_end_of_the_stream_is_noticed() throws Exception {
        // The lease is longer than the server is down, so that nobody claims meanwhile.
        try (TestMember leader = member("leader", LONG_LEASE)) {
            long token = leader.awaitLead().token();
            try (TestMember standby = member("standby", LONG_LEASE);
                    LeaderWatch watch = new LeaderWatch(leader, standby)) {
                eventually().until(() -> standby.neli.leader().isPresent());
                server.terminate();
                Path earlier = copy();
                server.restart();
                long before = lastSequence();
                eventually().until(() -> lastSequence() > before + 3);

                server.kill();
                restore(earlier);
                server.restart();

                leader.awaitEvent(LeaderFenced.class);
                awaitOneLeads(leader, standby);
                awaitLeaderAfter(token, leader);
                watch.assertNeverTwo();
            }
        }
    }

    /** How far the leader had read the stream when it wrote its latest record. */
    private long readUpTo() throws Exception {
        String upTo = with(streams -> streams.getLastMessage(group, "neli." + group + ".0")
                .getHeaders()
                .getFirst("up-to"));
        return upTo == null ? 0 : Long.parseLong(upTo);
    }

    private Path data() {
        return server.directory().resolve("data");
    }

    private Path copy() throws IOException {
        Path copy = Files.createTempDirectory(server.directory(), "earlier");
        FileSystemUtils.copyRecursively(data(), copy);
        return copy;
    }

    private void restore(Path earlier) throws IOException {
        FileSystemUtils.deleteRecursively(data());
        FileSystemUtils.copyRecursively(earlier, data());
    }

    private long lastSequence() throws Exception {
        return with(streams -> streams.getStreamInfo(group).getStreamState().getLastSequence());
    }
}
