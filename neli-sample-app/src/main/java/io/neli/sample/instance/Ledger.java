package io.neli.sample.instance;

import java.time.Duration;

import io.neli.spring.LeaderKafkaTemplate;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.ScheduledRun;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A list of entries with one writer at a time: the broker refuses what a former leader still writes. */
@Component
class Ledger {

    static final String ROLE = "ledger";

    private final LeaderKafkaTemplate<String, LedgerEntry> template;
    private final String topic;
    private final Duration workTime;

    Ledger(
            LeaderKafkaTemplates<String, LedgerEntry> templates,
            NewTopic ledgerTopic,
            @Value("${sample.work-time}") Duration workTime) {
        this.template = templates.forRole(ROLE);
        this.topic = ledgerTopic.name();
        this.workTime = workTime;
    }

    /**
     * One transaction: after this has returned, the entry is in the ledger, and no later leader had begun before it.
     */
    void append(LedgerEntry entry) {
        template.executeInTransaction(transaction -> {
            work();
            return transaction.send(topic, entry.instance(), entry);
        });
    }

    /** Slow, too: the run of a leader that dies during this is repeated by the next one. */
    void balance(ScheduledRun run) {
        work();
    }

    /**
     * A placeholder for slow work, during which a process may be suspended and replaced. Losing leadership interrupts
     * it.
     */
    private void work() {
        try {
            Thread.sleep(workTime.toMillis());
        } catch (InterruptedException e) {
            // The flag stays cleared: this ends the work, and the transaction must still be aborted.
            throw new IllegalStateException("interrupted, as leadership is lost");
        }
    }
}
