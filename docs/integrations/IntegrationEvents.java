package com.example.billing;

import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.stereotype.Component;

@Component
class IntegrationEvents {

    private final Neli neli;
    private final LeaderEventPublisher events;

    IntegrationEvents(Neli neli, ApplicationEventPublisher publisher) {
        this.neli = neli;
        this.events = new DefaultLeaderEventPublisher(publisher);
    }

    @EventListener
    void on(LeaderAcquiredEvent event) {
        events.publishOnGranted(this, contextOf(event), event.role());
    }

    @EventListener({LeaderRevokedEvent.class, LeaderFencedEvent.class})
    void on(LeadershipEvent event) {
        events.publishOnRevoked(this, contextOf(event), event.role());
    }

    private Context contextOf(LeadershipEvent event) {
        return new Context() {

            @Override
            public boolean isLeader() {
                return neli.isLeader(event.role());
            }

            @Override
            public String getRole() {
                return event.role();
            }
        };
    }
}
