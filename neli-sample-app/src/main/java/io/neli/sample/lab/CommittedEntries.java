package io.neli.sample.lab;

import java.util.function.Consumer;

import io.neli.sample.lab.history.LedgerEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What the ledger's topic holds. May be used by any thread. */
final class CommittedEntries {

    private static final Logger log = LoggerFactory.getLogger(CommittedEntries.class);

    private static final JsonMapper json = JsonMapper.shared();

    private final LabClock clock;
    private final LabThread thread;
    private final Consumer<LedgerEntry> ledger;

    /**
     * One that hands them on.
     *
     * @param ledger is called on the lab's thread
     */
    CommittedEntries(LabClock clock, LabThread thread, Consumer<LedgerEntry> ledger) {
        this.clock = clock;
        this.thread = thread;
        this.ledger = ledger;
    }

    /**
     * Hands one on.
     *
     * @param value of a record that was read just now
     */
    void read(String value) {
        long at = clock.now();
        try {
            Value entry = json.readValue(value, Value.class);
            thread.execute(() -> ledger.accept(new LedgerEntry(
                    at, entry.instance(), entry.token(), entry.number(), LedgerEntry.State.COMMITTED, null)));
        } catch (JacksonException e) {
            log.warn("The ledger has an entry that is none: {}", value);
        }
    }

    private record Value(String instance, long token, long number) {}
}
