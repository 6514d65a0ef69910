package io.neli.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fenced block of code on one of the project's pages.
 *
 * @param page its path, relative to the project's directory
 * @param line the line of the page on which the code begins, from 1
 * @param language the language that the fence names; empty if it names none
 */
public record CodeBlock(Path page, int line, String language, String code) {

    static final Path PROJECT = Path.of("..");

    /** The blocks of all pages, in the order of the pages' names. */
    static List<CodeBlock> all() {
        return pages().stream().flatMap(page -> of(page).stream()).toList();
    }

    /**
     * The code on one page in one language, in the order of the page.
     *
     * @param page such as {@code docs/fencing.md}
     */
    public static List<String> codeOn(String page, String language) {
        return of(Path.of(page)).stream()
                .filter(block -> block.language().equals(language))
                .map(CodeBlock::code)
                .toList();
    }

    static List<Path> pages() {
        try (Stream<Path> top = Files.list(PROJECT);
                Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(PROJECT::relativize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path page) {
        try {
            return Files.readAllLines(PROJECT.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<CodeBlock> of(Path page) {
        List<CodeBlock> blocks = new ArrayList<>();
        List<String> lines = lines(page);
        for (int begin = 0; begin < lines.size(); begin++) {
            if (!lines.get(begin).stripLeading().startsWith("```")) {
                continue;
            }
            int end = begin + 1;
            while (end < lines.size() && !lines.get(end).strip().equals("```")) {
                end++;
            }
            if (end == lines.size()) {
                throw new AssertionError(page + ":" + (begin + 1) + ": this block of code has no end");
            }
            String language = lines.get(begin).strip().substring(3);
            String code = String.join("\n", lines.subList(begin + 1, end)).stripIndent() + "\n";
            blocks.add(new CodeBlock(page, begin + 2, language, code));
            begin = end;
        }
        return blocks;
    }

    /** The lines of a page that are neither code nor its fences. */
    static List<String> prose(Path page) {
        List<String> prose = new ArrayList<>(lines(page));
        List<CodeBlock> blocks = of(page);
        for (int i = blocks.size() - 1; i >= 0; i--) {
            int begin = blocks.get(i).line() - 2;
            prose.subList(begin, begin + 2 + (int) blocks.get(i).code().lines().count())
                    .clear();
        }
        return prose;
    }

    @Override
    public String toString() {
        return page + ":" + line + " " + language;
    }
}
