package io.neli.spring.autoconfigure.metrics;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;

/** A change of leadership, as the tags of its counter. */
record Transition(String event, String reason) {

    private static final Transition ACQUIRED = new Transition("acquired", "none");

    static Stream<Transition> all() {
        return Stream.of(
                        Stream.of(ACQUIRED),
                        Arrays.stream(RevokeReason.values()).map(Transition::revoked),
                        Arrays.stream(FenceReason.values()).map(Transition::fenced))
                .flatMap(each -> each);
    }

    static Transition of(LeaderEvent event) {
        if (event instanceof LeaderRevoked revoked) {
            return revoked(revoked.reason());
        }
        return event instanceof LeaderFenced fenced ? fenced(fenced.reason()) : ACQUIRED;
    }

    private static Transition revoked(RevokeReason reason) {
        return new Transition("revoked", tag(reason));
    }

    private static Transition fenced(FenceReason reason) {
        return new Transition("fenced", tag(reason));
    }

    static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
