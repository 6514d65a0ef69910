package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.neli.cluster.JavaProcess;
import io.neli.spring.docs.CodeBlock;
import org.apache.kafka.tools.AclCommand;
import org.apache.kafka.tools.TopicCommand;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/** The page on security: its settings and commands as a reader would copy them, and the means to run them. */
final class SecurityPage {

    private static final String PAGE = "docs/security.md";

    /** The page that describes the topic, to which the page on security links. */
    private static final String OPERATIONS = "docs/operations.md";

    private final SecuredBroker broker;

    SecurityPage(SecuredBroker broker) {
        this.broker = broker;
    }

    /** The settings of an application. */
    static PropertySource<?> settings() {
        try {
            String yaml = CodeBlock.codeOn(PAGE, "yaml").get(0);
            return new YamlPropertySourceLoader()
                    .load(PAGE, new ByteArrayResource(yaml.getBytes()))
                    .get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The only command on the page that contains this. */
    static String command(String regex) {
        return commands()
                .filter(Pattern.compile(regex).asPredicate())
                .reduce((one, other) -> {
                    throw new IllegalStateException(one + " and " + other);
                })
                .orElseThrow();
    }

    /** All commands on the page. */
    static Stream<String> commands() {
        return commandsOn(PAGE);
    }

    /** The command that creates the topic, changed to use the rights of an administrator. */
    static String creation() {
        return commandsOn(OPERATIONS)
                        .filter(command -> command.contains("--create"))
                        .findFirst()
                        .orElseThrow()
                        .replace("broker:9092", "broker:9093")
                + " --command-config admin.properties";
    }

    private static Stream<String> commandsOn(String page) {
        return CodeBlock.codeOn(page, "sh").stream()
                .flatMap(block -> Arrays.stream(block.replaceAll("\\\\\n", "").split("\n")));
    }

    /** The command in the text of a problem. */
    static String commandIn(String problem) {
        return Pattern.compile("kafka-acls.sh .* --(topic|group) '[^']*'")
                .matcher(problem)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no command in: " + problem));
    }

    /** Changes a command of the page to another group. */
    static String forGroup(String group, String command) {
        return command.replaceAll("(--topic|--group|--transactional-id) billing", "$1 " + group);
    }

    /** Runs a command that grants a right. */
    void grant(String command) {
        List<String> words = words(command);
        assertThat(words.remove(0)).isEqualTo("kafka-acls.sh");
        if (!words.contains("--command-config")) {
            words.addAll(List.of("--command-config", broker.adminProperties().toString()));
        }
        AclCommand.main(words.toArray(String[]::new));
    }

    /** Runs a command that creates a topic, with one replica because there is one broker. */
    void createTopic(String command) {
        List<String> words = words(command.replace("--replication-factor 3", "--replication-factor 1")
                .replace("min.insync.replicas=2", "min.insync.replicas=1"));
        assertThat(words.remove(0)).isEqualTo("kafka-topics.sh");
        // A process of its own, because the tool ends it.
        JavaProcess tool =
                JavaProcess.start("topics.log", "-Xmx128m", TopicCommand.class, words.toArray(String[]::new));
        tool.awaitEnd(Duration.ofMinutes(2));
        assertThat(tool.io().exitValue()).as("see topics.log").isZero();
    }

    private List<String> words(String command) {
        String here = command.replace("broker:9093", broker.address())
                .replace("admin.properties", broker.adminProperties().toString())
                .replace("'", "");
        return new ArrayList<>(List.of(here.trim().split("\\s+")));
    }
}
