package io.neli.sample.instance;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Runs;
import io.neli.spring.ScheduledRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Work that must be done by one instance at a time. */
@Component
class LedgerJob {

    private static final Logger log = LoggerFactory.getLogger(LedgerJob.class);

    private final Ledger ledger;
    private final String instance;
    private long number;

    LedgerJob(Ledger ledger, Neli neli) {
        this.ledger = ledger;
        this.instance = neli.snapshot().name();
    }

    /** A standby skips the call. A handover waits until the call ends. */
    @Scheduled(fixedDelayString = "${sample.pause}")
    @LeaderOnly(role = Ledger.ROLE)
    void write() {
        long token = Leadership.current().orElseThrow().token();
        LedgerEntry entry = new LedgerEntry(instance, token, ++number);
        try {
            ledger.append(entry);
            log.info("wrote entry {} with token {}", entry.number(), token);
        } catch (RuntimeException e) {
            // The broker fenced this instance, the work was interrupted, or Kafka is away: the next leader continues.
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
            log.warn("entry {} with token {} failed: {}", entry.number(), token, cause.toString());
        }
    }

    /** All instances share one schedule, so a change of leader neither misses nor repeats a run. */
    @Scheduled(cron = "*/5 * * * * *")
    @LeaderOnly(role = Ledger.ROLE, runs = Runs.AT_LEAST_ONCE)
    void balance() {
        ScheduledRun run = ScheduledRun.current().orElseThrow();
        ledger.balance(run);
        log.info("balanced the ledger of {}{}", run.dueAt(), run.repeated() ? ", which was begun before" : "");
    }
}
