package io.neli.spring.autoconfigure;

import io.neli.Neli;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/** Makes this member a candidate while the application accepts traffic, if that is required. */
final class ReadyCandidate implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

    private final Neli neli;
    private final boolean required;

    /** Until the first event, this member is not a candidate. */
    ReadyCandidate(Neli neli, boolean required) {
        this.neli = neli;
        this.required = required;
        if (required) {
            neli.candidate(false);
        }
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        if (required) {
            neli.candidate(event.getState() == ReadinessState.ACCEPTING_TRAFFIC);
        }
    }

    /** Events must arrive in order, because the last state counts. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
