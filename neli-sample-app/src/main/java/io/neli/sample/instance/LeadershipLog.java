package io.neli.sample.instance;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderChangedEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs what an instance learns about its own leadership and that of others. */
@Component
class LeadershipLog {

    private static final Logger log = LoggerFactory.getLogger(LeadershipLog.class);

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

    /** Called on every instance, whichever one leads. */
    @EventListener
    void on(LeaderChangedEvent event) {
        if (event.leader().isEmpty()) {
            log.info("nobody leads {}", event.role());
        }
        event.leader()
                .filter(leader -> !leader.self())
                .ifPresent(leader ->
                        log.info("on standby: {} leads {} with token {}", leader.name(), event.role(), leader.token()));
    }
}
