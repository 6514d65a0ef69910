package io.neli.sample.instance;

import java.time.Duration;

import io.neli.spring.LeaderKafkaTemplate;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.ScheduledRun;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A list of entries with one writer at a time: the broker refuses writes of a former leader. */
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
     * Appends in one transaction. When this returns, the entry is in the ledger, and no later leader's entry precedes
     * it.
     */
    void append(LedgerEntry entry) {
        template.executeInTransaction(transaction -> {
            work();
            return transaction.send(topic, entry.instance(), entry);
        });
    }

    /** Slow work: if the leader dies during it, the next leader repeats the run. */
    void balance(ScheduledRun run) {
        work();
    }

    /**
     * Stands for slow work, during which a process may be suspended and replaced. The loss of leadership interrupts it.
     */
    private void work() {
        try {
            Thread.sleep(workTime.toMillis());
        } catch (InterruptedException e) {
            // Leave the interrupt flag cleared: the exception ends the work, and the transaction must still be aborted.
            throw new IllegalStateException("interrupted, as leadership is lost");
        }
    }
}
