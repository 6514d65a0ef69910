package io.neli.sample.lab;

import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.Ledger;
import io.neli.sample.lab.history.LedgerEntry;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.web.Updates;
import io.neli.sample.lab.web.Updates.Kind;
import tools.jackson.databind.json.JsonMapper;

/** What has happened, and publishes it when there is something new. Confined to the lab's thread. */
final class LabRecord {

    private static final JsonMapper json = JsonMapper.shared();

    private final History history;
    private final Ledger ledger = new Ledger();
    private final Updates updates;

    private boolean historyIsNew = true;
    private boolean ledgerIsNew = true;

    LabRecord(History history, Updates updates) {
        this.history = history;
        this.updates = updates;
    }

    void observe(Observation observation) {
        history.apply(observation);
        historyIsNew |= !(observation instanceof Observation.Stands); // said ten times a second, and not shown
    }

    void add(LedgerEntry entry) {
        ledger.add(entry);
        ledgerIsNew = true;
    }

    void publish(LabView present) {
        updates.publish(Kind.LAB, json.writeValueAsString(present));
        if (historyIsNew) {
            updates.publish(Kind.HISTORY, json.writeValueAsString(history.view()));
            historyIsNew = false;
        }
        if (ledgerIsNew) {
            updates.publish(Kind.LEDGER, json.writeValueAsString(ledger.view()));
            ledgerIsNew = false;
        }
    }
}
