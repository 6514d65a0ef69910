package io.neli.spring.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.cluster.BrokerProcess;
import io.neli.cluster.JavaProcess;
import io.neli.harness.Network;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** HAProxy with the configuration of docs/routing.md, in front of three processes with the code of that page. */
@Tag("proof")
@Needs(Program.HAPROXY)
@Timeout(600)
class RoutingIT {

    private static final List<String> NAMES = List.of("alice", "bob", "carol");
    private static final Pattern TOKEN = Pattern.compile("token (\\d+)");
    private static final int MANY = 50;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** The status of a request, and if it was served, the server as the proxy names it, and the token. */
    private record Answer(int status, String server, long token) {

        boolean served() {
            return status >= 200 && status < 300;
        }
    }

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ScheduledExecutorService clientThread = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, JavaProcess> members = new LinkedHashMap<>();
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Map<Long, String> leaders = new ConcurrentHashMap<>();
    private final List<Answer> answers = new CopyOnWriteArrayList<>();
    private int port;
    private BrokerProcess broker;
    private Process proxy;

    @BeforeEach
    void start() throws IOException {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        RoutingApplication.compile(classes);
        broker = BrokerProcess.start(settings -> {});
        for (String name : NAMES) {
            ports.put(name, Network.freePort());
            members.put(name, startMember(name, classes));
        }
        port = Network.freePort();
        proxy = startProxy();
    }

    @AfterEach
    void stop() {
        clientThread.shutdownNow();
        if (proxy != null) {
            proxy.destroyForcibly();
        }
        members.values().forEach(JavaProcess::destroy);
        if (broker != null) {
            broker.close();
        }
    }

    private JavaProcess startMember(String name, Path classes) {
        JavaProcess member = JavaProcess.start(
                "routing-" + name + ".log",
                "-Xmx96m",
                RoutingApplication.class,
                classes.toString(),
                "InvoiceController",
                "--neli.name=" + name,
                "--neli.lease-duration=10s", // longer than a busy machine stalls
                "--spring.application.name=billing",
                "--spring.kafka.bootstrap-servers=" + broker.address(),
                "--server.address=127.0.0.1",
                "--server.port=" + ports.get(name),
                "--management.health.neli-leader.enabled=true",
                "--management.endpoint.health.group.leader.include=neliLeader",
                "--management.endpoint.health.group.leader.status.order=standby,up",
                "--management.endpoint.health.group.leader.status.http-mapping.standby=503");
        member.read(line -> {
            if (line.startsWith(RoutingApplication.LEADING)) {
                leaders.put(tokenIn(line), name);
            }
        });
        return member;
    }

    private Process startProxy() throws IOException {
        String shown = CodeBlock.codeOn(RoutingApplication.PAGE, "haproxy").get(0);
        String settings = shown.replace("bind :8000", "bind 127.0.0.1:" + port);
        for (String name : NAMES) {
            settings = settings.replace(name + ":8080", "127.0.0.1:" + ports.get(name));
        }
        Path file = Files.writeString(directory.resolve("haproxy.cfg"), settings);
        return new ProcessBuilder(Program.HAPROXY.path().toString(), "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        JavaProcess.logDirectory().resolve("haproxy.log").toFile())
                .start();
    }

    @Test
    void no_request_is_served_by_a_standby_through_a_crash_and_a_handover() throws Exception {
        clientThread.scheduleWithFixedDelay(this::request, 0, 5, TimeUnit.MILLISECONDS);

        String first = awaitServedByNewLeader(0);
        eventually(() -> statusOfHealth(first) == 200);
        for (String standby : NAMES) {
            if (!standby.equals(first)) {
                eventually(() -> statusOfHealth(standby) == 503);
                assertThat(put(ports.get(standby)).statusCode()).isEqualTo(503);
            }
        }
        eventually(() -> servesWhatAnyoneCould(first));

        long firstToken = latestToken();
        members.get(first).destroy();
        String second = awaitServedByNewLeader(firstToken);

        long secondToken = latestToken();
        members.get(second).terminate();
        String third = awaitServedByNewLeader(secondToken);

        clientThread.shutdown();
        assertThat(clientThread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(proxy.isAlive()).isTrue();
        assertThat(List.of(first, second, third)).containsExactlyInAnyOrderElementsOf(NAMES);
        // A member may answer before it prints its token.
        await().atMost(LIMIT).untilAsserted(() -> assertThat(answers.stream().filter(Answer::served))
                .allSatisfy(answer -> assertThat(leaders)
                        .as("who led with this token")
                        .containsEntry(answer.token(), answer.server())));
        assertThat(answers.stream().filter(Answer::served).map(Answer::token)).isSorted();
        assertThat(answers.stream().filter(answer -> !answer.served()).map(Answer::status))
                .as("a refusal, by the proxy or a former leader, or an answer that was cut off")
                .allMatch(status -> status == 502 || status == 503);
    }

    /** Sent one after the other: a later answer with a smaller token would be from a former leader. */
    private void request() {
        try {
            HttpResponse<String> response = put(port);
            answers.add(new Answer(
                    response.statusCode(),
                    response.headers().firstValue("X-Served-By").orElse(""),
                    response.statusCode() < 300 ? tokenIn(response.body()) : 0));
        } catch (IOException e) {
            // the proxy does not listen yet, or the answer was interrupted
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<String> put(int port) throws IOException, InterruptedException {
        return send(request(port, "/invoices/1").PUT(BodyPublishers.noBody()));
    }

    /** Whether requests that even a standby could answer all go to this member. */
    private boolean servesWhatAnyoneCould(String name) throws IOException, InterruptedException {
        for (int i = 0; i < MANY; i++) {
            HttpResponse<String> response = send(request(port, "/actuator/health"));
            if (!name.equals(response.headers().firstValue("X-Served-By").orElse(""))) {
                return false;
            }
        }
        return true;
    }

    private int statusOfHealth(String name) throws IOException, InterruptedException {
        return send(request(ports.get(name), "/actuator/health/leader")).statusCode();
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
    }

    /** Waits until many requests in a row were served in a later term, and returns the server. */
    private String awaitServedByNewLeader(long token) {
        AtomicReference<String> leader = new AtomicReference<>();
        eventually(() -> {
            assertThat(proxy.isAlive()).as("see haproxy.log").isTrue();
            List<Answer> all = List.copyOf(answers);
            List<Answer> latest = all.subList(Math.max(0, all.size() - MANY), all.size());
            boolean many = latest.size() == MANY
                    && latest.stream().allMatch(answer -> answer.served() && answer.token() > token);
            leader.set(many ? leaders.get(latest.get(MANY - 1).token()) : null);
            return leader.get() != null;
        });
        return leader.get();
    }

    private long latestToken() {
        return answers.stream().mapToLong(Answer::token).max().orElseThrow();
    }

    private static long tokenIn(String text) {
        Matcher token = TOKEN.matcher(text);
        assertThat(token.find()).as("a token in '%s'", text).isTrue();
        return Long.parseLong(token.group(1));
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(LIMIT).until(condition);
    }
}
