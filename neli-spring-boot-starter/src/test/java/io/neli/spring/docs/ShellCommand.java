package io.neli.spring.docs;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One command of a block, with its lines joined.
 *
 * @param block the block that contains it
 * @param text the command without comments
 */
record ShellCommand(CodeBlock block, String text) {

    private static final Path SECURITY = Path.of("docs", "security.md");

    static Stream<ShellCommand> all() {
        return CodeBlock.all().stream()
                .filter(block -> block.language().equals("sh"))
                .flatMap(block -> of(block).stream());
    }

    static List<ShellCommand> of(CodeBlock block) {
        String joined = block.code().replaceAll("\\\\\n\\s*", "");
        return Arrays.stream(joined.split("\n|&&"))
                .map(line -> line.replaceAll("(^| )#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .map(line -> new ShellCommand(block, line))
                .toList();
    }

    /** Whether the tests with a broker that enforces rights run it. */
    boolean isAboutRights() {
        return block.page().equals(SECURITY);
    }

    /** The program that it calls. */
    String program() {
        return text.split("\\s+")[0];
    }

    @Override
    public String toString() {
        return block.page() + ": " + text;
    }
}
