package io.neli.nats;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliException;
import io.neli.TestServers;
import io.neli.harness.Network;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Streams that exist before the members, and streams that members create. */
@Needs(Program.NATS_SERVER)
class StreamCheckIT {

    private final String group = TestServers.unusedName("stream");
    private final String url = new NatsServers().shared();

    private NeliBuilder builder() {
        return NatsNeli.builder(url).groupId(group).failFast(PATIENCE);
    }

    private interface Use<T> {
        T of(JetStreamManagement streams) throws Exception;
    }

    @SuppressWarnings("try") // closing may be interrupted
    private <T> T with(Use<T> use) throws Exception {
        Options options =
                Options.builder().server(url).connectionTimeout(PATIENCE).build();
        JetStreamOptions limits =
                JetStreamOptions.builder().requestTimeout(PATIENCE).build();
        try (Connection connection = Nats.connect(options)) {
            return use.of(connection.jetStreamManagement(limits));
        }
    }

    private void create(UnaryOperator<StreamConfiguration.Builder> change) throws Exception {
        StreamConfiguration.Builder stream = StreamConfiguration.builder()
                .name(group)
                .subjects("neli." + group + ".>")
                .storageType(StorageType.File);
        with(streams -> streams.addStream(change.apply(stream).build()));
    }

    private void assertRefused(String... words) {
        assertThatThrownBy(() -> builder().start())
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("neli.topic.name is '" + group + "'")
                .hasMessageContainingAll(words);
    }

    @Test
    void options_that_do_not_keep_messages_in_order_are_refused() {
        Options unordered =
                Options.builder().server(url).useDispatcherWithExecutor().build();
        NeliBuilder builder = NatsNeli.builder(unordered).groupId(group);
        assertThatThrownBy(builder::build)
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("useDispatcherWithExecutor");
    }

    @Test
    void a_missing_stream_is_created_so_that_it_keeps_what_it_must() throws Exception {
        try (Neli neli = builder().retention(Duration.ofHours(2)).start()) {
            assertThat(neli.awaitLeadership(PATIENCE)).isPresent();
            StreamInfo created = with(streams -> streams.getStreamInfo(group));
            assertThat(created.getConfiguration().getSubjects()).containsExactly("neli." + group + ".>");
            assertThat(created.getConfiguration().getMaxAge()).isEqualTo(Duration.ofHours(2));
            assertThat(created.getConfiguration().getStorageType()).isEqualTo(StorageType.File);
            assertThat(created.getConfiguration().getReplicas()).isEqualTo(1);
        }
    }

    @Test
    void a_missing_stream_that_may_not_be_created_is_a_problem() {
        assertThatThrownBy(() -> builder().createTopic(false).start())
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("there is no such stream", "neli.topic.create");
    }

    @Tag("proof")
    @ParameterizedTest
    @CsvSource({"MEMORY, file", "WORK_QUEUE, limits", "PER_SUBJECT, no such limit", "AGE, longer than any lease"})
    void a_stream_that_the_election_could_not_rely_on_is_refused(String what, String needed) throws Exception {
        create(stream -> switch (what) {
            case "MEMORY" -> stream.storageType(StorageType.Memory);
            case "WORK_QUEUE" -> stream.retentionPolicy(RetentionPolicy.WorkQueue);
            case "PER_SUBJECT" -> stream.maxMessagesPerSubject(100);
            default -> stream.maxAge(Duration.ofMinutes(5));
        });
        assertRefused(needed);
    }

    @Test
    void a_stream_with_other_subjects_is_refused() throws Exception {
        create(stream -> stream.subjects("orders." + group));
        assertRefused("orders." + group, "another stream");
    }

    @Test
    void more_replicas_than_servers_are_refused() {
        assertThatThrownBy(() -> builder().replicationFactor(3).start())
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("replicas", "neli.topic.replication-factor");
    }

    @Test
    void a_server_that_is_down_is_passed_over() throws Exception {
        Options servers = Options.builder()
                .servers(new String[] {"nats://127.0.0.1:" + Network.freePort(), url})
                .noRandomize()
                .build();
        try (Neli neli =
                NatsNeli.builder(servers).groupId(group).failFast(PATIENCE).start()) {
            assertThat(neli.awaitLeadership(PATIENCE)).isPresent();
            eventually().until(() -> neli.snapshot().problem().isEmpty());
        }
    }

    @Test
    void a_server_without_jetstream_is_a_problem_that_says_so() {
        try (NatsServer plain = NatsServer.start("-js=false");
                Neli neli = NatsNeli.builder(plain.url()).groupId(group).start()) {
            eventually().until(() -> neli.snapshot()
                    .problem()
                    .filter(problem -> problem.contains("nats-server -js"))
                    .isPresent());
        }
    }
}
