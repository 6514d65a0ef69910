package io.neli.sample.instance;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** What an instance hears of its own leadership. */
@Component
class LeadershipLog {

    private static final Logger log = LoggerFactory.getLogger(LeadershipLog.class);

    /** The place to prepare: a job starts when this has returned. */
    @EventListener
    void on(LeaderAcquiredEvent event) {
        log.info("leading {} with token {}", event.role(), event.token());
    }

    /** The place to wrap up: nobody else leads before this has returned. */
    @EventListener
    void on(LeaderRevokedEvent event) {
        log.info("handing over {}, reason {}, token {}", event.role(), event.reason(), event.token());
    }

    /** The place to drop everything: another may lead already. */
    @EventListener
    void on(LeaderFencedEvent event) {
        log.warn("leading {} no longer, reason {}, token {}", event.role(), event.reason(), event.token());
    }
}
