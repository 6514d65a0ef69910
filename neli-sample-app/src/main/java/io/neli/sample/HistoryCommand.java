package io.neli.sample;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.neli.LeaderTerm;
import io.neli.Neli;
import io.neli.NeliBuilder;
import org.springframework.boot.convert.DurationStyle;

/** Prints who led a group, according to its log on Kafka. */
final class HistoryCommand {

    private static final String NAME = "--history";
    private static final Pattern OPTION =
            Pattern.compile("--(bootstrap|group|topic|since|config)=(.+)" + "|--(partition|quorum)=(\\d{1,4})");
    private static final String USAGE =
            "use --history --bootstrap=host:9092 --group=billing, and if need be --topic=..., "
                    + "--partition=0, --quorum=1, --since=24h, and --config=file with properties of Kafka's clients";
    private static final String ROW = "%-24s  %-24s  %-13s  %-23s  %-16s  %-20s  %-20s  %-16s  %s%n";

    private HistoryCommand() {}

    static boolean isMeant(String... arguments) {
        return Stream.of(arguments).anyMatch(argument -> argument.equals(NAME) || argument.startsWith(NAME + "="));
    }

    /** Calls {@link #print} and hides the log output of the clients. */
    static void run(String... arguments) throws InterruptedException {
        System.setProperty("logback.configurationFile", "logback-broker.xml"); // before anything logs
        System.setProperty("broker.log", "OFF");
        print(System.out, arguments);
    }

    /**
     * Reads and prints the terms of the group.
     *
     * @throws IllegalArgumentException if an argument is wrong, with a message for the user
     * @throws io.neli.NeliException if the log cannot be read
     */
    static void print(PrintStream out, String... arguments) throws InterruptedException {
        Map<String, String> options = options(arguments);
        int partition = Integer.parseInt(options.getOrDefault("partition", "0"));
        NeliBuilder builder = Neli.builder()
                .kafka(client(options))
                .groupId(options.getOrDefault("group", ""))
                .partitions(partition + 1)
                .quorum(Integer.parseInt(options.getOrDefault("quorum", "1")));
        Optional.ofNullable(options.get("topic")).ifPresent(builder::topic);
        print(out, history(builder.build(), "partition-" + partition, options.getOrDefault("since", "24h")));
    }

    static List<LeaderTerm> history(Neli group, String role, String since) throws InterruptedException {
        try {
            return group.history(role, time(since));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--since=" + since + ": " + e.getMessage(), e);
        }
    }

    private static Duration time(String text) {
        try {
            return DurationStyle.detectAndParse(text, ChronoUnit.SECONDS);
        } catch (IllegalArgumentException | ArithmeticException e) { // no duration, or too long for one
            throw new IllegalArgumentException("use a time longer than 0, such as 6h", e);
        }
    }

    private static Map<String, String> options(String... arguments) {
        Map<String, String> options = new HashMap<>();
        for (String argument : arguments) {
            Matcher option = OPTION.matcher(argument);
            if (option.matches()) {
                boolean isText = option.group(1) != null;
                options.put(option.group(isText ? 1 : 3), option.group(isText ? 2 : 4));
            } else if (!argument.equals(NAME)) {
                throw new IllegalArgumentException(argument + ": " + USAGE);
            }
        }
        if (!options.containsKey("bootstrap") || !options.containsKey("group")) {
            throw new IllegalArgumentException(USAGE);
        }
        return options;
    }

    private static Map<String, String> client(Map<String, String> options) {
        Properties properties = new Properties();
        if (options.containsKey("config")) {
            try (Reader file = Files.newBufferedReader(Path.of(options.get("config")))) {
                properties.load(file);
            } catch (IOException | IllegalArgumentException e) { // such as a malformed escape
                throw new IllegalArgumentException("--config=" + options.get("config") + " cannot be read: " + e, e);
            }
        }
        properties.setProperty("bootstrap.servers", options.get("bootstrap"));
        Map<String, String> client = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> client.put(name, properties.getProperty(name)));
        return client;
    }

    private static void print(PrintStream out, List<LeaderTerm> terms) {
        out.printf(
                ROW,
                "acquired",
                "ended",
                "led for",
                "without a leader before",
                "token",
                "member",
                "how it ended",
                "followed by",
                "metadata");
        for (LeaderTerm term : terms) {
            out.printf(
                    ROW,
                    shown(term.acquired(), "earlier"),
                    shown(term.ended(), "leads"),
                    term.acquired()
                            .flatMap(begin -> term.ended().map(end -> shown(Duration.between(begin, end))))
                            .orElse(""),
                    term.unledBefore().map(HistoryCommand::shown).orElse(""),
                    term.token(),
                    term.member(),
                    term.end().map(Enum::name).orElse(""),
                    term.successor().orElse(""),
                    term.metadata().isEmpty() ? "" : term.metadata());
        }
    }

    private static String shown(Optional<Instant> time, String otherwise) {
        return time.map(known -> known.toString().replace('T', ' ')).orElse(otherwise);
    }

    private static String shown(Duration time) {
        return time.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
