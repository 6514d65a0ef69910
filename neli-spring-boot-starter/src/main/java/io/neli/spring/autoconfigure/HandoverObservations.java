package io.neli.spring.autoconfigure;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.NeliMetrics;

/** Observes each handover of this member: once per term, however many roles map to the partition. */
final class HandoverObservations implements NeliMetrics {

    private final Supplier<ObservationRegistry> registry;
    private final Map<Term, Observation> running = new ConcurrentHashMap<>();

    private record Term(int partition, long token) {}

    HandoverObservations(Supplier<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public void changed(LeaderEvent event) {
        if (event instanceof LeaderRevoked revoked) {
            running.computeIfAbsent(new Term(event.partition(), event.token()), term -> start(revoked));
        } else if (event instanceof LeaderFenced fenced) {
            stop(event.partition(), event.token(), text(fenced.reason()));
        }
    }

    @Override
    public void handedOver(int partition, long token) {
        stop(partition, token, "handed-over");
    }

    private Observation start(LeaderRevoked event) {
        return Observation.createNotStarted("neli.handover", registry.get())
                .lowCardinalityKeyValue("partition", Integer.toString(event.partition()))
                .lowCardinalityKeyValue("reason", text(event.reason()))
                .highCardinalityKeyValue("neli.role", event.role())
                .highCardinalityKeyValue("neli.token", Long.toString(event.token()))
                .start();
    }

    private void stop(int partition, long token, String outcome) {
        Observation ended = running.remove(new Term(partition, token));
        if (ended != null) {
            ended.lowCardinalityKeyValue("outcome", outcome).stop();
        }
    }

    private static String text(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
