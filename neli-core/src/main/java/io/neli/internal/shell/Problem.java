package io.neli.internal.shell;

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
}
