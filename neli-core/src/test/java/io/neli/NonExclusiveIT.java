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

    /** For at most a lease, which is long here. The next leader cannot write to the log at first, so it is not there yet. */
    @Test
    void work_goes_on_after_a_close_until_the_next_leader_is_there() {
        Consumer<NeliBuilder> patient =
                builder -> builder.mode(Mode.NON_EXCLUSIVE).leaseDuration(PATIENCE);
        TestBroker broker = TestBroker.shared();
        String next = group + "-next";
        try (TestMember first = TestMember.startLeader(group, "first", patient);
                TestMember second = TestMember.startStandby(group, next, patient)) {
            eventually()
                    .until(() -> first.neli.snapshot().groupMembers().size() == 2
                            && second.neli.snapshot().eligible());
            broker.forbidWriting("neli-" + next);
            AtomicInteger later = callsAfterClose(first);
            eventually().until(() -> later.get() > 0);
            assertThat(second.neli.isLeader()).isFalse();

            broker.allowWriting("neli-" + next);

            second.awaitLead();
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.CLOSING);
        }
    }

    @Test
    void in_exclusive_mode_no_work_begins_after_a_close() {
        try (TestMember first = TestMember.startLeader(group, "first");
                TestMember second = TestMember.startStandby(group, "second")) {
            AtomicInteger later = callsAfterClose(first);
            first.awaitEvent(LeaderRevoked.class);
            assertThat(later).hasValue(0);
            second.awaitLead();
        }
    }
}
