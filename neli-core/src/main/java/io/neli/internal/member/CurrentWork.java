package io.neli.internal.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.neli.Leadership;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The work that a thread is doing, the innermost last, for {@link Leadership#current} and the logging context. Work
 * need not end in the order in which it began. Only its thread uses it.
 */
public final class CurrentWork {

    private static final String ROLE_KEY = "neli.role";
    private static final String TOKEN_KEY = "neli.token";

    private static final ThreadLocal<@Nullable CurrentWork> OF_THREAD = new ThreadLocal<>();

    private final List<RunningWork> works = new ArrayList<>();
    private final @Nullable String roleBefore = MDC.get(ROLE_KEY);
    private final @Nullable String tokenBefore = MDC.get(TOKEN_KEY);

    private CurrentWork() {}

    /** The term of the calling thread's innermost work. */
    public static Optional<Leadership> leadership() {
        return works().reduce((outer, inner) -> inner).map(RunningWork::leadership);
    }

    /** The outermost work of the calling thread that the gate counts. */
    static Optional<RunningWork> of(WorkGate gate) {
        return works().filter(work -> work.gate == gate).findFirst();
    }

    /** Whether a fence has interrupted work of the calling thread. */
    static boolean isInterrupted() {
        return works().anyMatch(RunningWork::isInterrupted);
    }

    /** The work of the calling thread, the outermost first. */
    static Stream<RunningWork> works() {
        tidy();
        CurrentWork current = OF_THREAD.get();
        return current == null ? Stream.empty() : current.works.stream();
    }

    static void begin(RunningWork work) {
        tidy();
        CurrentWork current = OF_THREAD.get();
        if (current == null) {
            current = new CurrentWork();
            OF_THREAD.set(current);
        }
        current.works.add(work);
        current.show();
    }

    /** Forgets work of the calling thread that was detached or has ended, perhaps on another thread. */
    static void tidy() {
        CurrentWork current = OF_THREAD.get();
        if (current != null && current.works.removeIf(work -> !work.hasThread())) {
            if (current.works.isEmpty()) {
                OF_THREAD.remove();
            }
            current.show();
        }
    }

    private void show() {
        Leadership term = works.isEmpty() ? null : works.get(works.size() - 1).leadership();
        show(ROLE_KEY, term == null ? roleBefore : term.role());
        show(TOKEN_KEY, term == null ? tokenBefore : Long.toString(term.token()));
    }

    private static void show(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
