package io.neli.sample.instance;

import java.time.Duration;

import io.neli.spring.kafka.LeaderKafkaTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Entries that must come from one leader after the other: the broker refuses those of one that has been replaced. */
@Component
class Ledger {

    static final String ROLE = "ledger";

    private final LeaderKafkaTemplate<String, LedgerEntry> template;
    private final Duration workTime;

    Ledger(LeaderKafkaTemplate<String, LedgerEntry> template, @Value("${sample.work-time}") Duration workTime) {
        this.template = template;
        this.workTime = workTime;
    }

    /** One transaction: when this has returned, the entry is in the ledger, and was written while no later leader had begun. */
    void append(LedgerEntry entry) {
        template.executeInTransaction(transaction -> {
            work();
            return transaction.sendDefault(entry.instance(), entry);
        });
    }

    /** Stands for what takes time, in which a process may be suspended and another lead. A fence interrupts it. */
    private void work() {
        try {
            Thread.sleep(workTime.toMillis());
        } catch (InterruptedException e) {
            // The flag stays cleared: this ends the work, and the transaction is still to be aborted.
            throw new IllegalStateException("interrupted at work, as the lead is lost");
        }
    }
}
