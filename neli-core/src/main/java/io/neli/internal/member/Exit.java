package io.neli.internal.member;

import java.util.Arrays;

/** Calls of {@link System#exit}, which never return. The JVM's shutdown hooks must not wait for the threads that made them. */
final class Exit {

    private Exit() {}

    static boolean isCalledBy(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Runtime.class.getName())
                        && frame.getMethodName().equals("exit"));
    }
}
