package io.neli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.kafka.RefusingAuthorizer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class NonExclusiveIT {

    private final String group = TestServers.unusedName("non-exclusive");

    /**
     * Work continues for at most a lease, which is long here. The group counts on the second member, because that leads
     * one of the roles. At first, it cannot write to the log, so that it does not lead the other role too early. A
     * claim that was refused meanwhile is repeated after a lease.
     */
    @Tag(TestServers.KAFKA)
    @Tag("proof")
    @Test
    void work_goes_on_after_a_close_until_the_next_leader_is_there() throws InterruptedException {
        Consumer<NeliBuilder> patient = builder -> builder.mode(Mode.NON_EXCLUSIVE)
                .leaseDuration(Duration.ofSeconds(10))
                .partitions(2)
                .roles("a", "b");
        String next = group + "-next";
        try (TestMember first = TestMember.startLeader(group, "first", patient);
                TestMember second = TestMember.startStandby(group, next, patient)) {
            String its = eventually()
                    .until(
                            () -> Stream.of("a", "b")
                                    .filter(second.neli::isLeader)
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
            String role = its.equals("a") ? "b" : "a";
            RefusingAuthorizer.forbidWriting("neli-" + next);
            AtomicBoolean closed = new AtomicBoolean();
            AtomicInteger callsAfterClose = new AtomicInteger();
            first.neli.background(role, leadership -> {
                if (closed.get()) {
                    callsAfterClose.incrementAndGet();
                } else {
                    first.neli.close();
                    closed.set(true);
                }
            });
            eventually().until(() -> callsAfterClose.get() > 0);
            assertThat(second.neli.isLeader(role)).isFalse();

            RefusingAuthorizer.allowWriting("neli-" + next);

            assertThat(second.neli.awaitLeadership(role, PATIENCE)).isPresent();
            eventually().until(() -> first.events.of(role).stream()
                    .anyMatch(event ->
                            event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.CLOSING));
        }
    }
}
