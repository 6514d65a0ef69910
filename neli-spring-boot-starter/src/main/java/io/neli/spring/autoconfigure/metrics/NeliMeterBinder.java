package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.neli.LeaderEvent;
import io.neli.Neli;
import io.neli.NeliMetrics;

/**
 * Binds the election's meters. All but those of jobs and unlisted roles exist from the start, so that a dashboard shows
 * zeros and not gaps. They keep counting when the election is stopped and started. Thread-safe.
 */
final class NeliMeterBinder implements MeterBinder, NeliMetrics, AutoCloseable {

    private final Supplier<Neli> election;
    private final List<ElectionMeters> bound = new CopyOnWriteArrayList<>();

    NeliMeterBinder(Supplier<Neli> election) {
        this.election = election;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bound.add(new ElectionMeters(election.get(), registry));
    }

    @Override
    public void close() {
        List<ElectionMeters> closed = List.copyOf(bound);
        bound.clear(); // otherwise later measurements would create them again
        closed.forEach(ElectionMeters::remove);
    }

    @Override
    public void changed(LeaderEvent event) {
        bound.forEach(each -> each.changed(event));
    }

    @Override
    public void heartbeatRead(int partition, Duration roundTrip) {
        bound.forEach(each -> each.roundTrips(partition).record(roundTrip));
    }

    @Override
    public void bidSent(int partition) {
        bound.forEach(each -> each.bids(partition).increment());
    }

    @Override
    public void takenOver(int partition) {
        bound.forEach(each -> each.takeovers(partition).increment());
    }

    @Override
    public void workEnded(String role, WorkOutcome outcome, Duration duration) {
        bound.forEach(each -> each.work(role, outcome).record(duration));
    }

    @Override
    public void workSkipped(String role) {
        bound.forEach(each -> each.skipped(role).increment());
    }

    @Override
    public void runEnded(String job, RunOutcome outcome, RunKind kind, Duration duration) {
        bound.forEach(each -> each.runs(job, outcome, kind).record(duration));
    }

    @Override
    public void runAbandoned(String job) {
        bound.forEach(each -> each.abandoned(job).increment());
    }
}
