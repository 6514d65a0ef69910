package io.neli.spring.autoconfigure.endpoint;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;

import com.jayway.jsonpath.JsonPath;
import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliSnapshot.Partition;
import io.neli.NeliSnapshot.Status;
import io.neli.NotLeaderException;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Bad requests to servlet and reactive applications, and by JMX. */
@ParameterizedClass
@EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
class NeliEndpointRequestsTest {

    private static final AtomicInteger RUNS = new AtomicInteger();

    private final HttpClient client = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext application;
    private static FakeNeli neli;

    private final WebApplicationType type;

    NeliEndpointRequestsTest(WebApplicationType type) {
        this.type = type;
    }

    @BeforeParameterizedClassInvocation
    static void start(WebApplicationType type) {
        application = new SpringApplicationBuilder(Application.class)
                .web(type)
                .registerShutdownHook(false)
                .run(
                        "--server.port=0",
                        "--spring.jmx.enabled=true",
                        "--spring.jmx.default-domain=" + type,
                        "--management.endpoints.jmx.exposure.include=neli",
                        "--management.endpoints.web.exposure.include=neli",
                        "--management.endpoint.neli.access=unrestricted");
        neli = application.getBean(FakeNeli.class);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        application.close();
    }

    @BeforeEach
    void reset() {
        neli.reset();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "abdicate | {}                                     | command is 'abdicate': use one of [resign, pause, resume, run]",
                "ReSiGn   | {}                                     | command is 'ReSiGn': use one of [resign, pause, resume, run]",
                "pause    | {'rol': 'invoices'}                    | rol is 'invoices': use cooldown, role or job, each with a value",
                "resign   | {'coolDown': '10m'}                    | coolDown is '10m': use cooldown, role or job, each with a value",
                "pause    | {'role': null}                         | role is 'null': use cooldown, role or job, each with a value",
                "pause    | {'role': 'invoice'}                    | role is 'invoice': use one of neli.roles, which is [invoices, mail], or leave it out for all",
                "resume   | {'role': 'partition-0'}                | role is 'partition-0': use one of neli.roles, which is [invoices, mail], or leave it out for all",
                "resign   | {'role': ''}                           | role is '': use one of neli.roles, which is [invoices, mail], or leave it out for all",
                "resign   | {'cooldown': 'soon'}                   | cooldown is 'soon': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': ''}                       | cooldown is '': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': '-1s'}                    | cooldown is '-1s': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': '365000d'}                | cooldown is '365000d': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': 604801}                   | cooldown is '604801': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': 'PT2562047788015215H'}    | cooldown is 'PT2562047788015215H': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': 'PT9300000000000000.5S'}  | cooldown is 'PT9300000000000000.5S': use 0s to 7d, such as 10m",
                "resign   | {'cooldown': '999999999999999999999d'} | cooldown is '999999999999999999999d': use 0s to 7d, such as 10m",
                "resign   | {'role': 'mail', 'cooldown': '8d'}     | cooldown is '8d': use 0s to 7d, such as 10m",
                "pause    | {'cooldown': '1m'}                     | cooldown is '1m': leave it out, because only resign takes one",
                "resume   | {'cooldown': '1m', 'role': 'mail'}     | cooldown is '1m': leave it out, because only resign takes one",
                "run      | {}                                     | job is 'null': name the job to run",
                "pause    | {'job': 'closeBooks'}                  | job is 'closeBooks': leave it out, because only run takes one",
                "run      | {'job': 'x', 'role': 'mail'}           | role is 'mail': leave it out, because a job has one",
                "run      | {'job': 'close'}                       | job is 'close': there is no job 'close': the jobs are [closeBooks]",
            })
    void a_bad_request_changes_nothing_and_the_answer_names_the_field_and_what_is_allowed(
            String command, String body, String message) throws Exception {
        HttpResponse<String> answer = post(command, body.replace('\'', '"'));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonPath.<String>read(answer.body(), "$.message")).isEqualTo(message);
        assertThat(JsonPath.<Integer>read(answer.body(), "$.status")).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).contains("json");
        assertLeadsAll();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "future                     | query is 'future': use history",
                "history?rolle=mail         | rolle is 'mail': use role or since, each with a value",
                "history?role=invoice       | role is 'invoice': use one of neli.roles, which is [invoices, mail], or leave it out for invoices",
                "history?role=              | role is '': use one of neli.roles, which is [invoices, mail], or leave it out for invoices",
                "history?since=soon         | since is 'soon': use a time longer than 0, such as 6h",
                "history?since=             | since is '': use a time longer than 0, such as 6h",
                "history?since=0            | since is '0': use a time longer than 0, such as 6h",
                "history?since=-PT6H        | since is '-PT6H': use a time longer than 0, such as 6h",
                "history?since=999999999999999999999d | since is '999999999999999999999d': use a time longer than 0, such as 6h",
            })
    void a_bad_question_for_the_history_is_answered_in_the_same_way(String path, String message) throws Exception {
        HttpResponse<String> answer =
                client.send(request("actuator/neli/" + path).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonPath.<String>read(answer.body(), "$.message")).isEqualTo(message);
    }

    @Test
    void a_job_runs_on_the_leader_only() throws Exception {
        int before = RUNS.get();
        assertThat(post("run", "{\"job\": \"closeBooks\"}").statusCode()).isEqualTo(204);
        neli.dueAt(Instant.now());
        assertThat(RUNS).hasValue(before + 1);

        neli.revoke();
        HttpResponse<String> answer = post("run", "{\"job\": \"closeBooks\"}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JsonPath.<String>read(answer.body(), "$.message"))
                .startsWith("job is 'closeBooks': ")
                .contains("'other'");
    }

    /** Spring refuses these requests before the endpoint is called. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'role':                | application/json                  | 400",
                "[1, 2]                  | application/json                  | 400",
                "{'role': {'a': 1}}      | application/json                  | 400",
                "{'role': ['invoices']}  | application/json                  | 400",
                "{}                      | text/plain                        | 415",
                "role=invoices           | application/x-www-form-urlencoded | 415"
            })
    void what_is_no_object_of_strings_changes_nothing(String body, String contentType, int status) throws Exception {
        assertThat(post("pause", body.replace('\'', '"'), contentType).statusCode())
                .isEqualTo(status);
        assertLeadsAll();
    }

    @Test
    void a_long_value_is_not_repeated_in_full() throws Exception {
        assertThat(post("pause", "{\"role\": \"" + "x".repeat(100_000) + "\"}").body())
                .contains("role is 'xxx", "truncated")
                .hasSizeLessThan(1_000);
    }

    @Test
    void the_longest_cooldown_is_accepted_and_the_request_may_have_no_body() throws Exception {
        assertThat(post("resign", "{\"cooldown\": \"7d\", \"role\": \"mail\"}").statusCode())
                .isEqualTo(204);
        assertThat(neli.isLeader("mail")).isFalse();
        assertThat(neli.isLeader("invoices")).isTrue();
        assertThat(post("pause", "").statusCode()).isEqualTo(204);
        assertThat(neli.snapshot().paused()).isTrue();
    }

    @Test
    void an_election_that_is_stopped_refuses_commands() throws Exception {
        neli.close();

        HttpResponse<String> answer = post("pause", "{}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("status is 'STOPPED': start the election of this member first");
        assertThat(neli.snapshot().status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void by_jmx_the_exception_says_it() throws Exception {
        assertThatThrownBy(() -> invoke("pause", null, "invoice"))
                .hasMessageContaining("role is 'invoice': use one of");
        assertThatThrownBy(() -> invoke("resign", "8d", null)).hasMessageContaining("cooldown is '8d': use 0s to 7d");
        assertLeadsAll();

        invoke("pause", null, "invoices");
        assertThat(neli.isLeader("mail")).isTrue();
        assertThat(neli.isLeader("invoices")).isFalse();
    }

    @Test
    void a_request_that_only_the_leader_handles_is_answered_with_503() throws Exception {
        HttpResponse<String> answer = client.send(request("settle").build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(answer.headers().firstValue("Neli-Leader")).hasValue("http://other:8080");
    }

    private void assertLeadsAll() {
        assertThat(neli.snapshot().paused()).isFalse();
        assertThat(neli.snapshot().partitions()).hasSize(2).allMatch(Partition::leading);
    }

    private HttpResponse<String> post(String command, String body) throws Exception {
        return post(command, body, "application/json");
    }

    private HttpResponse<String> post(String command, String body, String contentType) throws Exception {
        return client.send(
                request("actuator/neli/" + command)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/" + path))
                .timeout(Duration.ofMinutes(1));
    }

    private void invoke(String... arguments) throws Exception {
        String string = String.class.getName();
        ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName(type + ":type=Endpoint,name=Neli"), "run", arguments, new String[] {
                    string, string, string
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        FakeNeli neli() {
            FakeNeli neli = FakeNeli.builder()
                    .roles(List.of("invoices", "mail"))
                    .leading(true)
                    .otherMetadata(Map.of("url", "http://other:8080"))
                    .build();
            neli.schedule(new Job(
                    "closeBooks",
                    "invoices",
                    new Job.FixedRate(Duration.ofDays(900), Duration.ofDays(900)),
                    Guarantee.AT_LEAST_ONCE,
                    Runnable::run,
                    run -> RUNS.incrementAndGet()));
            neli.start();
            return neli;
        }

        @Bean
        Controller controller(FakeNeli neli) {
            return new Controller(neli);
        }
    }

    @RestController
    record Controller(FakeNeli neli) {

        @GetMapping("/settle")
        void settle() {
            neli.revoke();
            throw new NotLeaderException("invoices", neli.leader("invoices"));
        }
    }
}
