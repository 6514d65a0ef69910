package io.neli.sample;

import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Work that must be done by one instance at a time. */
@Component
class SettlementJob {

    private static final Logger log = LoggerFactory.getLogger(SettlementJob.class);

    private final Neli neli;

    SettlementJob(Neli neli) {
        this.neli = neli;
    }

    /** A store that must never be written to by two hands the token in as well, and refuses a smaller one than it has seen. */
    @Scheduled(fixedDelay = 1000)
    @LeaderOnly
    void settle() {
        neli.leadership().ifPresent(leadership -> log.info("settling with token {}", leadership.token()));
    }
}
