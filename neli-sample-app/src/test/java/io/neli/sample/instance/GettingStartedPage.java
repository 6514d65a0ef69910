package io.neli.sample.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The code blocks on docs/getting-started.md, in order. */
final class GettingStartedPage {

    private static final Path PAGE = Path.of("..", "docs", "getting-started.md");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern FILE = Pattern.compile("`(pom.xml|src/[^`]+)`:.*?```\\w+\n(.*?)```", Pattern.DOTALL);

    private final String text;

    private GettingStartedPage(String text) {
        this.text = text;
    }

    /** The page with other ports, because its own may be in use. */
    static GettingStartedPage withPorts(int broker, int alice, int bob) throws IOException {
        return new GettingStartedPage(Files.readString(PAGE)
                .replace("--broker\n", "--broker=9092\n")
                .replace("9092", Integer.toString(broker))
                .replace("8080", Integer.toString(alice))
                .replace("8081", Integer.toString(bob)));
    }

    /** Writes the application's files that the page shows. */
    void writeFiles(Path directory) throws IOException {
        for (MatchResult file : FILE.matcher(text).results().toList()) {
            Path path = directory.resolve(file.group(1));
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.group(2));
        }
    }

    /** All lines of the shell blocks. */
    List<String> commands() {
        return blocks("sh").flatMap(block -> Arrays.stream(block.split("\n"))).toList();
    }

    /** The output of programs. */
    List<String> outputs() {
        return blocks("text").toList();
    }

    private Stream<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2));
    }
}
