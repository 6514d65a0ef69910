package io.neli.sample.instance;

import java.util.Optional;

import io.neli.Leader;
import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Logs what an instance learns about leadership: its own by events, that of others by asking. */
@Component
class LeadershipLog {

    private static final Logger log = LoggerFactory.getLogger(LeadershipLog.class);

    private final Neli neli;
    private Optional<Leader> known = Optional.empty();

    LeadershipLog(Neli neli) {
        this.neli = neli;
    }

    /** The place to prepare: work starts after this has returned. */
    @EventListener
    void on(LeaderAcquiredEvent event) {
        log.info("leading {} with token {}", event.role(), event.token());
    }

    /** The place to clean up: no other instance leads before this has returned. */
    @EventListener
    void on(LeaderRevokedEvent event) {
        log.info("handing over {}, reason {}, token {}", event.role(), event.reason(), event.token());
    }

    /** The place to abandon everything: another instance may lead already. */
    @EventListener
    void on(LeaderFencedEvent event) {
        log.warn("no longer leading {}, reason {}, token {}", event.role(), event.reason(), event.token());
    }

    @Scheduled(fixedDelay = 250)
    void logOtherLeader() {
        Optional<Leader> leader = neli.leader(Ledger.ROLE);
        if (leader.equals(known)) {
            return;
        }
        known = leader;
        if (leader.isEmpty()) {
            log.info("nobody leads {}", Ledger.ROLE);
        } else if (!leader.get().self()) {
            log.info(
                    "on standby: {} leads {} with token {}",
                    leader.get().name(),
                    Ledger.ROLE,
                    leader.get().token());
        }
    }
}
