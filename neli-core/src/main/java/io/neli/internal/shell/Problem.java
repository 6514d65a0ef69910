package io.neli.internal.shell;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A problem, worded for humans.
 *
 * @param what what is wrong; names the setting and its value
 * @param fix what to do about it
 * @param passing whether it may pass by itself, such as a broker that is down
 */
public record Problem(String what, String fix, boolean passing) {

    private static final int MOST_CAUSES = 100;
    private static final int NANOS_PER_MILLI = 1_000_000;

    /** Both in one sentence. */
    public String text() {
        return what + "; " + fix;
    }

    /** The messages of a failure and its causes: a client often has the details, such as those of TLS, only there. */
    public static String messages(Throwable failure) {
        return causes(failure)
                .map(cause -> Objects.requireNonNullElse(
                        cause.getMessage(), cause.getClass().getSimpleName()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** A failure and its causes, the outermost first. Causes may form a circle, so there is a limit. */
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    /** A duration as in a configuration file: 500ms, 3s. */
    public static String text(Duration duration) {
        if (duration.toNanosPart() % NANOS_PER_MILLI != 0) {
            return duration.toString();
        }
        return duration.toMillisPart() == 0
                ? duration.toSeconds() + "s"
                : TimeUnit.MILLISECONDS.convert(duration) + "ms"; // saturates
    }
}
