package io.neli.sample.instance;

import java.util.Optional;

import io.neli.Leader;
import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What a standby knows: who writes the ledger. */
@Component
class LeaderWatch {

    private static final Logger log = LoggerFactory.getLogger(LeaderWatch.class);

    private final Neli neli;
    private Optional<Leader> known = Optional.empty();

    LeaderWatch(Neli neli) {
        this.neli = neli;
    }

    @Scheduled(fixedDelay = 250)
    void look() {
        Optional<Leader> leader = neli.leader(Ledger.ROLE);
        if (leader.equals(known)) {
            return;
        }
        known = leader;
        if (leader.isEmpty()) {
            log.info("nobody leads {}", Ledger.ROLE);
        } else if (!leader.get().self()) {
            log.info(
                    "standing by, {} leads {} with token {}",
                    leader.get().name(),
                    Ledger.ROLE,
                    leader.get().token());
        }
    }
}
