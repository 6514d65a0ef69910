package io.neli.spring.autoconfigure;

import java.util.Optional;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderChangedEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;

/**
 * Publishes the election's events as Spring events. Its order is 0: it is notified before listeners without an order,
 * and after those with a negative one.
 */
@Order(0)
final class LeaderEventPublisher implements LeaderListener {

    private final ApplicationContext context;

    LeaderEventPublisher(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        if (event instanceof LeaderAcquired acquired) {
            LeadershipListeners.publish(context, new LeaderAcquiredEvent(context, acquired));
        } else if (event instanceof LeaderRevoked revoked) {
            context.publishEvent(new LeaderRevokedEvent(context, revoked));
        } else if (event instanceof LeaderFenced fenced) {
            context.publishEvent(new LeaderFencedEvent(context, fenced));
        }
    }

    @Override
    public void onLeaderChanged(String role, Optional<Leader> leader) {
        context.publishEvent(new LeaderChangedEvent(context, role, leader));
    }
}
