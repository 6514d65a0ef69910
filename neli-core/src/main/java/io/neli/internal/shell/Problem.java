package io.neli.internal.shell;

/**
 * What is wrong, in words for people.
 *
 * @param what names the setting and its value
 * @param fix what to do about it
 * @param passing whether it may pass by itself, such as a broker that is down
 */
public record Problem(String what, String fix, boolean passing) {

    /** What an exception that has been wrapped by others says first. */
    public static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Both in one sentence. */
    public String text() {
        return what + "; " + fix;
    }
}
