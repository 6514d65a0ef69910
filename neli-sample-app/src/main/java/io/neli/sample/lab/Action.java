package io.neli.sample.lab;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** What can be done with an instance. */
enum Action {
    KILL,
    FREEZE,
    THAW,
    CUT,
    HEAL,
    STOP,
    START,
    RESIGN;

    /** As it is called on the page, and in an address. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable Action of(String word) {
        for (Action action : values()) {
            if (action.word().equals(word)) {
                return action;
            }
        }
        return null;
    }
}
