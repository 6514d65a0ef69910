package io.neli.spring.autoconfigure;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

/**
 * Publishes the election's events in the application. As a listener of order 0 it comes before those without an order, and after
 * those with a negative one.
 */
final class LeaderEventPublisher implements LeaderListener, Ordered {

    private final ApplicationContext context;

    LeaderEventPublisher(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        context.publishEvent(published(event));
    }

    @Override
    public int getOrder() {
        return 0;
    }

    private LeadershipEvent published(LeaderEvent event) {
        if (event instanceof LeaderAcquired acquired) {
            return new LeaderAcquiredEvent(context, acquired.role(), acquired.partition(), acquired.token());
        }
        if (event instanceof LeaderRevoked revoked) {
            return new LeaderRevokedEvent(
                    context, revoked.role(), revoked.partition(), revoked.token(), revoked.reason());
        }
        LeaderFenced fenced = (LeaderFenced) event;
        return new LeaderFencedEvent(context, fenced.role(), fenced.partition(), fenced.token(), fenced.reason());
    }
}
