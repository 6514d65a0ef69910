package io.neli.internal.shell;

import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A problem, worded for humans.
 *
 * @param what what is wrong; names the setting and its value
 * @param fix what to do about it
 * @param passing whether it may pass by itself, such as a broker that is down
 */
public record Problem(String what, String fix, boolean passing) {

    /** Both in one sentence. */
    public String text() {
        return what + "; " + fix;
    }

    /** The messages of a failure and its causes: a client often has the details, such as those of TLS, only there. */
    public static String messages(Throwable failure) {
        Set<String> messages = new LinkedHashSet<>();
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            messages.add(message == null ? cause.getClass().getSimpleName() : message);
        }
        return String.join(", ", messages);
    }
}
