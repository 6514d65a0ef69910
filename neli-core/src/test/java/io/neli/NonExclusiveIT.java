package io.neli;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.kafka.TestBroker;
import io.neli.protocol.Mode;
import io.neli.protocol.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class NonExclusiveIT {

    private final String group = TestBroker.unusedName("non-exclusive");

    /** How often a task that closes its member is called again after that. */
    private int callsAfterClose(TestMember first) {
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
        first.awaitEvent(LeaderRevoked.class);
        return later.get();
    }

    @Test
    void workGoesOnAfterACloseUntilTheNextLeaderIsThere() {
        try (TestMember first = TestMember.startLeader(group, "first", builder -> builder.mode(Mode.NON_EXCLUSIVE));
                TestMember second =
                        TestMember.startStandby(group, "second", builder -> builder.mode(Mode.NON_EXCLUSIVE))) {
            eventually().until(() -> first.neli.snapshot().groupMembers().size() == 2);

            int later = callsAfterClose(first);

            assertThat(later).isPositive();
            assertThat(first.events.of(LeaderRevoked.class).get(0).reason()).isEqualTo(RevokeReason.CLOSING);
            second.awaitLead();
        }
    }

    @Test
    void inExclusiveModeNoWorkBeginsAfterAClose() {
        try (TestMember first = TestMember.startLeader(group, "first");
                TestMember second = TestMember.startStandby(group, "second")) {
            assertThat(callsAfterClose(first)).isZero();
            second.awaitLead();
        }
    }
}
