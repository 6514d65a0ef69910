package io.neli.sample.lab;

import java.util.function.Consumer;

import io.neli.sample.lab.history.LedgerEntry;
import io.neli.sample.lab.history.Observation;

/**
 * What everything in the lab shares.
 *
 * @param history is told what is done and noticed
 * @param ledger is told what became of what was written
 */
record Scene(LabClock clock, LabThread thread, Consumer<Observation> history, Consumer<LedgerEntry> ledger) {}
