package io.neli.spring.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.Job;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.cluster.BrokerProcess;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the commands of all pages except docs/getting-started.md, against a broker and the application of that page. The
 * commands of that page are run in neli-sample-app.
 */
@Tag("proof")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(1200)
class DocumentedCommandsIT {

    private static final Path OPERATIONS = Path.of("docs", "operations.md");

    private static final Pattern URL = Pattern.compile("(?:http://)?[\\w-]+:\\d+(/[^\\s']+)");

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private BrokerProcess broker;
    private GettingStarted application;

    @BeforeEach
    void start() throws IOException {
        broker = BrokerProcess.start(settings -> {});
        application = new GettingStarted(directory, broker.address());
    }

    @AfterEach
    void stop() throws IOException {
        application.close();
        broker.close();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(2));
    }

    @Test
    void without_kafka_the_application_starts_and_says_what_is_wrong(CapturedOutput output) throws Exception {
        try (GettingStarted unconnected =
                new GettingStarted(Files.createDirectory(directory.resolve("unconnected")), "localhost:9")) {
            Neli neli = unconnected.start().getBean(Neli.class);
            eventually().until(() -> neli.snapshot().status() == NeliSnapshot.Status.FAILED);
            assertThat(shown().get(2).lines())
                    .allSatisfy(line -> assertThat(output).contains(line));
        }
    }

    /** Also runs what other pages request from an application, after those commands. */
    @Test
    void operators_can_do_what_their_page_says() throws Exception {
        List<ShellCommand> commands = onPage(OPERATIONS);
        KafkaTools tools = new KafkaTools(broker.address());
        assertThat(commands.get(0).text()).contains("--create");
        tools.run(commands.get(0));
        Neli leader = application.start().getBean(Neli.class);
        eventually().until(leader::isLeader);
        for (ShellCommand command : commands.subList(1, commands.size())) {
            if (KafkaTools.has(command)) {
                tools.run(command);
            } else {
                assertThat(request(command)).contains("{");
            }
        }
        Job.Schedule daily = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);
        leader.schedule(new Job(
                "bookkeeping.closeBooks",
                leader.defaultRole(),
                daily,
                Job.Guarantee.AT_LEAST_ONCE,
                Runnable::run,
                run -> {}));
        for (ShellCommand command : onOtherPages()) {
            if (KafkaTools.has(command)) {
                tools.run(command);
            } else if (command.program().equals("curl")) {
                leader.resume(); // an earlier command may have made it resign, or paused its role
                leader.resume(leader.defaultRole());
                eventually().until(leader::isLeader);
                request(command);
            }
        }
        eventually().until(() -> leader.snapshot().problem().isEmpty());
    }

    /** The output of programs that the page shows. */
    private static List<String> shown() {
        return CodeBlock.all().stream()
                .filter(block -> block.page().equals(GettingStarted.PAGE)
                        && block.language().equals("text"))
                .map(CodeBlock::code)
                .toList();
    }

    private static List<ShellCommand> onPage(Path page) {
        return ShellCommand.all()
                .filter(command -> command.block().page().equals(page))
                .toList();
    }

    private static List<ShellCommand> onOtherPages() {
        Set<Path> others = Set.of(GettingStarted.PAGE, OPERATIONS);
        return ShellCommand.all()
                .filter(command -> !command.isAboutRights()
                        && !others.contains(command.block().page()))
                .toList();
    }

    /** Sends a request as curl would. The pages use only the method, one header and the body. */
    private String request(ShellCommand curl) throws IOException, InterruptedException {
        Matcher url = URL.matcher(curl.text());
        assertThat(url.find()).as("%s", curl).isTrue();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://localhost:" + application.port() + url.group(1)));
        if (curl.text().contains("-X POST")) {
            Matcher body = Pattern.compile("-d '([^']*)'").matcher(curl.text());
            request.POST(body.find() ? BodyPublishers.ofString(body.group(1)) : BodyPublishers.noBody());
        }
        Matcher header = Pattern.compile("-H '([\\w-]+): ([^']*)'").matcher(curl.text());
        if (header.find()) {
            request.header(header.group(1), header.group(2));
        }
        var response = client.send(request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as("%s", curl).isBetween(200, 299);
        return response.body();
    }
}
