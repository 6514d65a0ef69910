package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/** Makes this member a candidate while the application accepts traffic. */
final class ReadyCandidate implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

    private final Neli neli;

    /** Until the first event, this member is not a candidate. */
    ReadyCandidate(Neli neli) {
        this.neli = neli;
        neli.candidate(false);
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        neli.candidate(event.getState() == ReadinessState.ACCEPTING_TRAFFIC);
    }

    /** Events must arrive in order, because the last state counts. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
