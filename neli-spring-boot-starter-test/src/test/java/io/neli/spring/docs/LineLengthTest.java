package io.neli.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Lines of Java are at most as long as {@code .editorconfig} allows. The formatter breaks no comments or texts. */
class LineLengthTest {

    private static final int LONGEST = 120;

    @Test
    void no_comment_is_wider_than_the_code() throws IOException {
        try (Stream<Path> places = Files.list(CodeBlock.PROJECT)) {
            List<Path> sources = places.map(place -> place.endsWith("docs") ? place : place.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(LineLengthTest::sources)
                    .toList();
            assertThat(sources).hasSizeGreaterThan(500).allSatisfy(source -> assertThat(Files.readAllLines(source))
                    .filteredOn(line -> !line.contains("\"") && !line.startsWith("import "))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(LONGEST)));
        }
    }

    private static Stream<Path> sources(Path place) {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
