package io.neli.sample.lab.history;

import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Whether anybody could lead: the broker is up, and an instance stands that runs and reaches it. */
final class Availability {

    private final Set<String> standing = new HashSet<>();
    private final Set<String> frozen = new HashSet<>();
    private final Set<String> cut = new HashSet<>();

    /** When the broker went and came; it is away while the first is known and the second is not. */
    private @Nullable Long brokerDown;

    private @Nullable Long brokerUp;

    private boolean candidates;
    private long candidatesSince = Long.MIN_VALUE;

    void apply(Observation observation) {
        if (observation instanceof Observation.Done done) {
            apply(done);
        } else if (observation instanceof Observation.Stands stands) {
            set(standing, stands.instance(), stands.standing());
        } else if (observation instanceof Observation.Acquired acquired) {
            standing.add(acquired.instance()); // who leads stands, even if it has not told so yet
        } else if (observation instanceof Observation.BrokerUp up && brokerDown != null) {
            brokerUp = up.at();
        } else if (observation instanceof Observation.Exited exited) {
            if (exited.instance() == null) {
                brokerGone(exited.at());
            } else {
                gone(exited.instance());
            }
        }
        boolean now = standing.stream().anyMatch(instance -> !frozen.contains(instance) && !cut.contains(instance));
        if (now && !candidates) {
            candidatesSince = observation.at();
        }
        candidates = now;
    }

    private void apply(Observation.Done done) {
        if (done.kind() == MarkKind.BROKER_STOP) {
            brokerGone(done.at());
        }
        String instance = done.instance();
        if (instance == null) {
            return;
        }
        switch (done.kind()) {
            case KILL, STOP -> gone(instance);
            case FREEZE -> frozen.add(instance);
            case THAW -> frozen.remove(instance);
            case CUT -> cut.add(instance);
            case HEAL -> cut.remove(instance);
            default -> {}
        }
    }

    private void gone(String instance) {
        standing.remove(instance);
        frozen.remove(instance);
    }

    private void brokerGone(long at) {
        if (brokerDown == null || brokerUp != null) {
            brokerDown = at;
            brokerUp = null;
        }
    }

    private static void set(Set<String> set, String instance, boolean in) {
        if (in) {
            set.add(instance);
        } else {
            set.remove(instance);
        }
    }

    /** Whether the broker was away at any time from the first moment on, or so shortly before that it must be the cause. */
    boolean brokerWasAway(long from, long shortly) {
        return brokerDown != null && (brokerUp == null || brokerUp + shortly >= from);
    }

    /** From when on the broker was there again, if it was away after that moment. */
    long brokerBack(long moment) {
        return brokerUp == null ? moment : Math.max(moment, brokerUp);
    }

    /** From when on somebody stood, if there was nobody at a time after that moment. */
    long candidatesSince(long moment) {
        return Math.max(moment, candidatesSince);
    }

    boolean hadCandidatesSince(long moment) {
        return candidatesSince < moment;
    }
}
