package io.neli.spring.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;

import com.jayway.jsonpath.JsonPath;
import io.neli.Leader;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NotLeaderException;
import io.neli.harness.Network;
import io.neli.spring.SharedBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The code of docs/routing.md in two applications, alice and bob, on a real broker. */
class RoutingPageIT {

    @TempDir
    static Path classes;

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().followRedirects(Redirect.NEVER).build();
    private final Map<String, ConfigurableApplicationContext> members = new HashMap<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private String group;

    @BeforeAll
    static void compile() throws IOException {
        RoutingApplication.compile(classes);
    }

    @BeforeEach
    void nameGroup(TestInfo test) {
        group = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void close() {
        members.values().forEach(ConfigurableApplicationContext::close);
    }

    private Neli start(String name, List<String> shown, String... more) {
        int port = Network.freePort();
        ports.put(name, port);
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of(
                "--neli.name=" + name,
                "--neli.group-id=" + group,
                "--neli.lease-duration=30s", // longer than a busy machine stalls
                "--neli.heartbeat-interval=100ms",
                "--neli.metadata.url=http://localhost:" + port,
                "--neli.metadata.zone=north",
                "--server.port=" + port,
                "--management.endpoints.web.exposure.include=neli",
                "--spring.kafka.bootstrap-servers=" + SharedBroker.address()));
        ConfigurableApplicationContext context =
                RoutingApplication.start(classes, shown, arguments.toArray(String[]::new));
        members.put(name, context);
        return context.getBean(Neli.class);
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri));
    }

    private HttpResponse<String> put(URI uri) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri).PUT(BodyPublishers.noBody()));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
    }

    private URI uri(String name, String path) {
        return URI.create("http://localhost:" + ports.get(name) + path);
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2)).until(condition);
    }

    @Test
    void every_member_knows_what_the_leader_tells_and_redirects_there_and_while_nobody_leads_nowhere()
            throws Exception {
        List<String> shown = List.of("InvoiceController", "Redirect");
        Neli alice = start("alice", shown);
        eventually(() -> put(uri("alice", "/invoices/7")).statusCode() == 200);
        Neli bob = start("bob", shown);
        eventually(() -> bob.leader().isPresent());

        Map<String, String> told = Map.of("url", "http://localhost:" + ports.get("alice"), "zone", "north");
        assertThat(List.of(alice, bob))
                .allSatisfy(member -> assertThat(member.leader()).hasValueSatisfying(leader -> {
                    assertThat(leader.name()).isEqualTo("alice");
                    assertThat(leader.metadata()).isEqualTo(told);
                }));
        for (String member : List.of("alice", "bob")) {
            String endpoint = get(uri(member, "/actuator/neli")).body();
            assertThat(JsonPath.<Map<String, String>>read(endpoint, "$.partitions[0].leaderMetadata"))
                    .isEqualTo(told);
        }

        Object controller = members.get("bob").getBean("invoiceController");
        assertThatThrownBy(() -> ReflectionTestUtils.invokeMethod(controller, "settle", "7"))
                .isInstanceOfSatisfying(NotLeaderException.class, refused -> assertThat(
                                refused.leader().map(Leader::metadata))
                        .hasValue(told));
        HttpResponse<String> response = put(uri("bob", "/invoices/7?draft=a%20b"));
        assertThat(response.statusCode()).isEqualTo(307);
        URI location = URI.create(response.headers().firstValue("Location").orElseThrow());
        assertThat(location).isEqualTo(uri("alice", "/invoices/7?draft=a%20b"));
        assertThat(put(location).body())
                .isEqualTo("7 is settled with token "
                        + alice.leadership().map(Leadership::token).orElseThrow());

        bob.pause();
        alice.pause();
        eventually(() -> bob.leader().isEmpty());
        for (String member : List.of("alice", "bob")) {
            HttpResponse<String> refused = put(uri(member, "/invoices/7"));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        }
    }

    @Test
    void the_pod_of_the_leader_is_labelled_and_no_other() throws Exception {
        try (StubKubernetes kubernetes = StubKubernetes.start(directory)) {
            kubernetes.pods.addAll(Set.of("alice", "bob", "crashed"));
            kubernetes.labelled.addAll(Set.of("crashed", "gone"));

            Neli alice = startPod("alice", kubernetes);
            eventually(() -> kubernetes.labelled.equals(Set.of("alice")));
            Neli bob = startPod("bob", kubernetes);

            alice.pause();
            eventually(() -> kubernetes.labelled.equals(Set.of("bob")));

            kubernetes.labelled.remove("bob");
            kubernetes.labelled.add("alice");
            eventually(() -> kubernetes.labelled.equals(Set.of("bob")));

            kubernetes.failing = true;
            bob.pause();
            alice.resume();
            eventually(() -> alice.beginWork()
                    .map(work -> {
                        work.close();
                        return true;
                    })
                    .orElse(false)); // it leads, although it has no label
            assertThat(kubernetes.labelled).containsExactly("bob");
        }
    }

    private Neli startPod(String name, StubKubernetes kubernetes) {
        List<String> settings = CodeBlock.codeOn(RoutingApplication.PAGE, "yaml").stream()
                .filter(yaml -> yaml.startsWith("spring.ssl"))
                .map(yaml -> yaml.strip()
                        .replace(": file:/var/run/secrets/kubernetes.io/serviceaccount", "=" + directory.toUri()))
                .toList();
        assertThat(settings).hasSize(1);
        return start(
                name,
                List.of("LeaderLabel", "KubernetesConfiguration"),
                "--HOSTNAME=" + name,
                "--kubernetes.api=" + kubernetes.url(),
                "--kubernetes.account=" + directory,
                "--" + settings.get(0));
    }

    @Test
    void kubernetes_is_asked_for_what_the_code_does() throws IOException {
        String shown = Files.readString(RoutingApplication.KUBERNETES.resolve("leader-label.yaml"));
        List<Object> objects = StreamSupport.stream(new Yaml().loadAll(shown).spliterator(), false)
                .toList();
        String code = Files.readString(RoutingApplication.KUBERNETES.resolve("LeaderLabel.java"));

        assertThat(JsonPath.<List<String>>read(objects, "$[?(@.kind == 'Role')].rules[*].verbs[*]"))
                .containsExactly("list", "patch");
        assertThat(JsonPath.<List<Map<String, String>>>read(objects, "$[?(@.kind == 'Service')].spec.selector"))
                .singleElement()
                .satisfies(labels -> assertThat(code)
                        .contains("app=" + labels.get("app") + ",leader=" + labels.get("leader"))
                        .contains("label(self, \"" + labels.get("leader") + "\")"));
        assertThat(JsonPath.<List<String>>read(objects, "$[?(@.kind == 'RoleBinding')].roleRef.name"))
                .isEqualTo(JsonPath.<List<String>>read(objects, "$[?(@.kind == 'Role')].metadata.name"));
    }
}
