package io.neli;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.kafka.TestBroker;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class NonExclusiveIT {

    private final String group = TestBroker.unusedName("non-exclusive");

    /** Has a task close its member, and counts how often it is called again after that. */
    private static AtomicInteger callsAfterClose(TestMember first) {
        AtomicBoolean closed = new AtomicBoolean();
        AtomicInteger later = new AtomicInteger();
        first.neli.background(leadership -> {
            if (closed.get()) {
                later.incrementAndGet();
            } else {
                first.neli.close();
                closed.set(true);
            }
        });
        return later;
    }

    /** For at most a lease, which is long here: nobody is there at first. */
    @Test
    void workGoesOnAfterACloseUntilTheNextLeaderIsThere() {
        Consumer<NeliBuilder> patient =
                builder -> builder.mode(Mode.NON_EXCLUSIVE).leaseDuration(PATIENCE);
        try (TestMember first = TestMember.startLeader(group, "first", patient)) {
            AtomicInteger later = callsAfterClose(first);
            eventually().until(() -> later.get() > 0);
            assertThat(first.events.of(LeaderRevoked.class)).isEmpty();

            try (TestMember second = TestMember.start(group, "second", patient)) {
                second.awaitLead();
                assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.CLOSING);
            }
        }
    }

    @Test
    void inExclusiveModeNoWorkBeginsAfterAClose() {
        try (TestMember first = TestMember.startLeader(group, "first");
                TestMember second = TestMember.startStandby(group, "second")) {
            AtomicInteger later = callsAfterClose(first);
            first.awaitEvent(LeaderRevoked.class);
            assertThat(later).hasValue(0);
            second.awaitLead();
        }
    }
}
