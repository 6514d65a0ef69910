package io.neli.sample.instance;

import java.time.Duration;

import io.neli.spring.LeaderKafkaTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A list of entries with one writer at a time: the broker refuses what a former leader still writes. */
@Component
class Ledger {

    static final String ROLE = "ledger";

    private final LeaderKafkaTemplate<String, LedgerEntry> template;
    private final Duration workTime;

    Ledger(LeaderKafkaTemplate<String, LedgerEntry> template, @Value("${sample.work-time}") Duration workTime) {
        this.template = template;
        this.workTime = workTime;
    }

    /** One transaction: after this has returned, the entry is in the ledger, and no later leader had begun before it. */
    void append(LedgerEntry entry) {
        template.executeInTransaction(transaction -> {
            work();
            return transaction.sendDefault(entry.instance(), entry);
        });
    }

    /** A placeholder for slow work, during which a process may be suspended and replaced. Losing leadership interrupts it. */
    private void work() {
        try {
            Thread.sleep(workTime.toMillis());
        } catch (InterruptedException e) {
            // The flag stays cleared: this ends the work, and the transaction must still be aborted.
            throw new IllegalStateException("interrupted, as leadership is lost");
        }
    }
}
