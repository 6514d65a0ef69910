package io.neli.sample.lab.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest entries, the newest first. Confined to one thread. */
public final class Ledger {

    private static final int LIMIT = 50;

    private final Deque<LedgerEntry> entries = new ArrayDeque<>();

    public void add(LedgerEntry entry) {
        if (entries.size() == LIMIT) {
            entries.removeLast();
        }
        entries.addFirst(entry);
    }

    public View view() {
        return new View(List.copyOf(entries));
    }

    /** What the page shows; immutable. */
    public record View(List<LedgerEntry> entries) {}
}
