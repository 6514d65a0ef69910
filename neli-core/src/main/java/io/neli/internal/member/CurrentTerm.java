package io.neli.internal.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.neli.Leadership;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The terms whose work a thread does, the innermost last: what {@link Leadership#current} returns and the logging context shows.
 * Used by its own thread only.
 */
public final class CurrentTerm {

    private static final String ROLE_KEY = "neli.role";
    private static final String TOKEN_KEY = "neli.token";

    private static final ThreadLocal<@Nullable CurrentTerm> OF_THREAD = new ThreadLocal<>();

    private final List<Place> places = new ArrayList<>();
    private final @Nullable String roleBefore = MDC.get(ROLE_KEY);
    private final @Nullable String tokenBefore = MDC.get(TOKEN_KEY);

    private CurrentTerm() {}

    /** The term of the calling thread. */
    public static Optional<Leadership> get() {
        CurrentTerm current = OF_THREAD.get();
        if (current == null) {
            return Optional.empty();
        }
        current.tidy();
        return current.innermost();
    }

    /** The calling thread begins work in the term. */
    static Place enter(Leadership leadership) {
        CurrentTerm current = OF_THREAD.get();
        if (current == null) {
            current = new CurrentTerm();
            OF_THREAD.set(current);
        }
        current.places.removeIf(each -> each.left);
        Place place = new Place(leadership);
        current.places.add(place);
        current.show();
        return place;
    }

    private Optional<Leadership> innermost() {
        return places.isEmpty() ? Optional.empty() : Optional.of(places.get(places.size() - 1).leadership);
    }

    private void tidy() {
        if (places.removeIf(place -> place.left)) {
            if (places.isEmpty()) {
                OF_THREAD.remove();
            }
            show();
        }
    }

    private void show() {
        Optional<Leadership> shown = innermost();
        show(ROLE_KEY, shown.map(Leadership::role).orElse(roleBefore));
        show(TOKEN_KEY, shown.map(term -> Long.toString(term.token())).orElse(tokenBefore));
    }

    private static void show(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }

    /** Work of the thread; need not end in the order in which it began. */
    static final class Place {

        private final Leadership leadership;
        private volatile boolean left;

        private Place(Leadership leadership) {
            this.leadership = leadership;
        }

        /** The work has ended, or continues elsewhere. Called by another thread, it takes effect when its own thread next looks. */
        void leave() {
            left = true;
            CurrentTerm current = OF_THREAD.get();
            if (current != null) {
                current.tidy();
            }
        }
    }
}
