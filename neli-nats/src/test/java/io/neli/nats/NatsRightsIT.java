package io.neli.nats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.NKey;
import io.nats.client.Options;
import io.neli.Neli;
import io.neli.NeliSnapshot.Status;
import io.neli.harness.Network;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Problem;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The rights in docs/nats.md suffice, and a problem names each missing one. */
@Needs(Program.NATS_SERVER)
@Execution(ExecutionMode.CONCURRENT) // each has a server of its own, and waits long for answers
class NatsRightsIT {

    /** Matches wherever lines break. */
    private static final Pattern RIGHTS = Pattern.compile(
            "rights to publish to(.*?), and to subscribe to `_INBOX.>`".replace(" ", "\\s+"), Pattern.DOTALL);

    private static final Pattern RIGHTS_FOR_JOBS =
            Pattern.compile("Scheduled\\s+jobs\\](.*?)If\\s+the\\s+user", Pattern.DOTALL);

    private static final RunKey RUN = new RunKey("job", 1, 0);
    private static final RunRecord RECORD =
            new RunRecord("job", Instant.EPOCH, Instant.EPOCH, null, false, "fixedRate=PT1S", "first", 1);

    private static final Pattern SUBJECT = Pattern.compile("`([^`]+)`");

    @TempDir
    private Path directory;

    private static List<String> documented() throws IOException {
        return documented(RIGHTS, "billing");
    }

    private static List<String> documented(Pattern where, String stream) throws IOException {
        Matcher rights = where.matcher(Files.readString(Path.of("../docs/nats.md")));
        assertThat(rights.find()).isTrue();
        return SUBJECT.matcher(rights.group(1))
                .results()
                .map(subject -> subject.group(1).replace("<stream>", stream))
                .toList();
    }

    /** A server with a user that may publish to these subjects only, and one that may do everything. */
    private NatsServer server(List<String> subjects) throws IOException {
        Path configuration = Files.createTempFile(directory, "server", ".conf");
        String quoted = subjects.stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "));
        Files.writeString(
                configuration,
                """
                authorization {
                  users = [
                    {user: billing, password: secret, permissions: {publish: [%s], subscribe: ["_INBOX.>"]}}
                    {user: all, password: secret}
                  ]
                }
                """
                        .formatted(quoted));
        return NatsServer.start("-c", configuration.toString());
    }

    private static Neli start(NatsServer server, String name) {
        return NatsNeli.builder(Options.builder()
                        .server(server.url())
                        .userInfo("billing", "secret")
                        .build())
                .groupId("billing")
                .name(name)
                .start();
    }

    @Test
    void the_documented_rights_are_enough_for_members_that_follow_each_other() throws Exception {
        try (NatsServer server = server(documented());
                Neli first = start(server, "first")) {
            assertThat(first.awaitLeadership(PATIENCE)).isPresent();
            try (Neli second = start(server, "second")) {
                first.resign(PATIENCE);
                long token = second.awaitLeadership(PATIENCE).orElseThrow().token();
                eventually()
                        .until(() -> second.history(Neli.DEFAULT_ROLE, PATIENCE).size() > 1);
                server.kill();
                eventually().until(() -> second.snapshot().status() != Status.RUNNING); // it has noticed
                server.restart();
                eventually().until(() -> second.snapshot().status() == Status.RUNNING);
                eventually().until(() -> second.leadership()
                        .filter(term -> term.token() >= token)
                        .isPresent());
                eventually().until(() -> second.snapshot().problem().isEmpty());
            }
        }
    }

    @Test
    void a_right_that_is_missing_is_named() throws Exception {
        List<String> needed = documented().stream()
                .filter(subject -> !subject.startsWith("$JS.FC")) // needed only if there is much to read
                .toList();
        assertThat(needed).hasSize(4);
        ExecutorService threads = Executors.newCachedThreadPool(); // because the client waits long for each answer
        try {
            List<Callable<String>> checks = needed.stream()
                    .map(missing -> (Callable<String>) () -> problemWithout(missing))
                    .toList();
            for (Future<String> problem : threads.invokeAll(checks)) {
                assertThat(problem.get()).contains("docs/nats.md");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private String problemWithout(String missing) throws IOException {
        List<String> others =
                documented().stream().filter(each -> !each.equals(missing)).toList();
        try (NatsServer server = server(others);
                Neli member = start(server, "first")) {
            return eventually()
                    .until(
                            () -> member.snapshot().problem().orElse(""),
                            problem -> problem.contains("Permissions Violation")
                                    && problem.contains(missing.replace(".>", "")));
        }
    }

    @Test
    void a_right_that_is_missing_for_one_subject_stays_the_problem_while_other_messages_are_taken() throws Exception {
        List<String> rights = Stream.concat(
                        Stream.of("neli.billing.members"), documented().stream().filter(right -> right.startsWith("$")))
                .toList();
        Logger logger = (Logger) LoggerFactory.getLogger("io.neli");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        logger.addAppender(logged);
        try (NatsServer server = server(rights);
                Neli member = start(server, "first")) {
            Connection all = NatsServers.connect(server.url().replace("//", "//all:secret@"));
            try {
                eventually()
                        .until(
                                () -> member.snapshot().problem().orElse(""),
                                missing -> missing.contains("neli.billing"));
                JetStreamManagement streams = all.jetStreamManagement();
                long before = streams.getStreamInfo("billing").getStreamState().getMsgCount();
                eventually()
                        .until(() -> streams.getStreamInfo("billing")
                                        .getStreamState()
                                        .getMsgCount()
                                > before + 3);
                assertThat(member.snapshot().problem().orElse("")).contains("Permissions Violation");
            } finally {
                NatsServers.close(all);
            }
            assertThat(logged.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(line -> line.contains("resolved") && line.contains(server.url()));
        } finally {
            logger.detachAppender(logged);
        }
    }

    private static NatsProvider provider(NatsServer server) {
        return new NatsProvider(Options.builder()
                .server(server.url())
                .userInfo("billing", "secret")
                .build());
    }

    private static RunStore runs(NatsServer server) {
        return provider(server).runStore(LeaderStreamTest.SETTINGS, new Creation(true, null, PATIENCE));
    }

    private static List<String> rightsForJobs() throws IOException {
        return Stream.concat(
                        documented(RIGHTS, "KV_stream-runs").stream(), documented(RIGHTS_FOR_JOBS, "stream").stream())
                .filter(right -> right.startsWith("$"))
                .toList();
    }

    @Test
    void the_documented_rights_are_enough_for_the_records_of_jobs() throws Exception {
        try (NatsServer server = server(rightsForJobs());
                RunStore runs = runs(server)) {
            assertThat(runs.read()).isEmpty();
            runs.write(RUN, RECORD).toCompletableFuture().get();
            assertThat(runs.read()).containsOnlyKeys(RUN);
            runs.forget(List.of(RUN));
            eventually().until(() -> runs.read().isEmpty());
        }
    }

    @Test
    void a_missing_right_to_delete_records_is_named_and_no_job_waits_for_it() throws Exception {
        List<String> rights = rightsForJobs().stream()
                .filter(right -> !right.contains("PURGE"))
                .toList();
        Logger logger = (Logger) LoggerFactory.getLogger(NatsRunStore.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        try (NatsServer server = server(rights);
                RunStore runs = runs(server)) {
            runs.write(RUN, RECORD).toCompletableFuture().get();
            logger.addAppender(logged);
            String caller = Thread.currentThread().getName(); // it does not wait for the answer
            runs.forget(List.of(RUN));
            eventually().until(() -> logged.list.stream()
                    .filter(line -> line.getFormattedMessage().contains("$JS.API.STREAM.PURGE.KV_stream-runs"))
                    .anyMatch(line -> !line.getThreadName().equals(caller)));
            assertThat(runs.read()).containsOnlyKeys(RUN);
        } finally {
            logger.detachAppender(logged);
        }
    }

    @Test
    void a_refused_password_is_the_problem_even_if_the_server_tried_last_is_down() {
        try (NatsServer server = NatsServer.start("--user", "billing", "--pass", "other");
                RunStore runs = new NatsProvider(Options.builder()
                                .servers(new String[] {server.url(), "nats://127.0.0.1:" + Network.freePort()})
                                .noRandomize()
                                .userInfo("billing", "secret")
                                .build())
                        .runStore(LeaderStreamTest.SETTINGS, new Creation(true, null, PATIENCE))) {
            Problem problem = runs.describe(catchThrowable(runs::prepare));
            assertThat(problem.text()).contains("refuse this application", "Authorization Violation");
            assertThat(problem.passing()).isFalse();
        }
    }

    @Test
    void a_server_that_takes_no_more_connections_is_no_problem_of_the_network() throws Exception {
        Path configuration = Files.writeString(directory.resolve("server.conf"), "max_connections: 1");
        try (NatsServer server = NatsServer.start("-c", configuration.toString())) {
            Connection only = NatsServers.connect(server.url());
            try (RunStore runs = runs(server)) {
                assertThat(runs.describe(catchThrowable(runs::prepare)).text())
                        .contains("max_connections")
                        .doesNotContain("network");
            } finally {
                NatsServers.close(only);
            }
        }
    }

    @Test
    void a_file_of_credentials_that_cannot_be_used_is_no_problem_of_the_network() throws Exception {
        Path credentials = Files.writeString(directory.resolve("billing.creds"), "damaged");
        Path configuration = Files.writeString(
                directory.resolve("server.conf"),
                "authorization { users = [{nkey: %s}] }"
                        .formatted(new String(NKey.createUser(null).getPublicKey())));
        try (NatsServer server = NatsServer.start("-c", configuration.toString());
                RunStore runs = new NatsProvider(Options.builder()
                                .server(server.url())
                                .credentialPath(credentials.toString())
                                .build())
                        .runStore(LeaderStreamTest.SETTINGS, new Creation(true, null, PATIENCE))) {
            assertThat(runs.describe(catchThrowable(runs::prepare)).text())
                    .contains("neli.nats.credentials")
                    .doesNotContain("network");
        }
    }

    @Test
    void a_right_that_the_past_misses_is_named() throws Exception {
        try (NatsServer server = server(List.of("neli.>"))) {
            assertThatThrownBy(() -> provider(server).history(LeaderStreamTest.SETTINGS, 0, 0))
                    .hasMessageContaining("Permissions Violation")
                    .hasMessageContaining("$JS.API.CONSUMER.CREATE.stream");
        }
    }

    @Test
    void a_right_that_the_records_of_jobs_miss_is_named() throws Exception {
        try (NatsServer server = server(List.of("$JS.API.>"))) {
            try (RunStore runs = runs(server)) {
                Problem problem = runs.describe(catchThrowable(() -> runs.read()));
                assertThat(problem.text()).contains("Permissions Violation", "$KV.stream-runs", "docs/nats.md");
                assertThat(problem.passing()).isFalse();
            }
        }
    }
}
