package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A file of outcomes, one line of JSON each. An interrupted run resumes after its last line. */
final class Outcomes {

    private static final ObjectMapper JSON =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private final Path file;

    Outcomes(Path file) {
        this.file = file;
    }

    List<Outcome> read() {
        List<Outcome> outcomes = new ArrayList<>();
        try {
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file)) {
                    parse(line).ifPresent(outcomes::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return outcomes;
    }

    private static Optional<Outcome> parse(String line) {
        try {
            return Optional.of(JSON.readValue(line, Outcome.class));
        } catch (JsonProcessingException e) {
            return Optional.empty(); // incomplete: the run was killed
        }
    }

    void append(Outcome outcome) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(
                    file,
                    (endsInLine() ? "\n" : "") + JSON.writeValueAsString(outcome) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean endsInLine() throws IOException {
        return Files.exists(file)
                && Files.size(file) > 0
                && !Files.readString(file).endsWith("\n");
    }

    /** The seed after the last one that was run; {@code first} if none was. */
    long nextSeed(long first) {
        return read().stream()
                        .mapToLong(Outcome::seed)
                        .filter(seed -> seed > 0)
                        .max()
                        .orElse(first - 1)
                + 1;
    }
}
