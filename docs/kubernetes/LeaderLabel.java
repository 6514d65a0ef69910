package com.example.billing;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderRevokedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

@Component
class LeaderLabel {

    private static final Logger log = LoggerFactory.getLogger(LeaderLabel.class);

    private final RestClient kubernetes;
    private final String self;

    LeaderLabel(RestClient kubernetes, @Value("${HOSTNAME}") String self) {
        this.kubernetes = kubernetes;
        this.self = self;
    }

    @EventListener(LeaderAcquiredEvent.class)
    void acquired() {
        try {
            moveHere();
        } catch (RestClientException e) {
            log.warn("cannot label {} yet", self, e); // thrown, it would end the term
        }
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
    @LeaderOnly
    void repair() {
        moveHere();
    }

    @EventListener({LeaderRevokedEvent.class, LeaderFencedEvent.class})
    void ended() {
        label(self, null);
    }

    private void moveHere() {
        Pods labelled = kubernetes.get()
                .uri("/pods?labelSelector={labels}", "app=billing,leader=true")
                .retrieve()
                .body(Pods.class);
        for (Pod pod : labelled.items()) {
            if (!pod.metadata().name().equals(self)) {
                label(pod.metadata().name(), null);
            }
        }
        label(self, "true");
    }

    private void label(String pod, String value) {
        kubernetes.patch()
                .uri("/pods/{name}", pod)
                .contentType(MediaType.valueOf("application/merge-patch+json"))
                // null removes it
                .body(Map.of("metadata", Map.of("labels", Collections.singletonMap("leader", value))))
                .retrieve()
                .onStatus(status -> status.value() == 404, (request, response) -> {}) // the pod is gone
                .toBodilessEntity();
    }

    record Pods(List<Pod> items) {}

    record Pod(Metadata metadata) {}

    record Metadata(String name) {}
}
