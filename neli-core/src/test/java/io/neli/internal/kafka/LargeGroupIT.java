package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.NeliMetrics;
import io.neli.internal.election.MemberPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * More members than a group could have whose assignments held everybody's name: Kafka keeps them in one record of a
 * megabyte.
 */
class LargeGroupIT {

    private static final int MEMBERS = 300;

    /** So long that it does not run out while the machine is busy with so many members. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final KafkaSettings settings = Settings.withTiming(
            Settings.onSharedBroker(TestBroker.unusedName("large"), "member"), LEASE, Duration.ofSeconds(1));
    private final List<TestElection> members = new ArrayList<>();
    private final AtomicInteger bids = new AtomicInteger();
    private final NeliMetrics metrics = new NeliMetrics() {
        @Override
        public void bidSent(int partition) {
            bids.incrementAndGet();
        }
    };

    private static boolean isAssigned(TestElection member) {
        MemberPlan plan = member.driver.state().plan();
        return plan != null
                && plan.members() == MEMBERS
                && Boolean.TRUE.equals(plan.countedEligible())
                && plan.shares().get(0).owner() != null;
    }

    private static boolean leads(TestElection member) {
        return member.driver.leads(0).isPresent();
    }

    @AfterEach
    void end() {
        members.forEach(member -> {
            member.clients.readers.forEach(ControlledClients.Control::release);
            member.clients.groups.forEach(ControlledClients.Control::release);
        });
        members.parallelStream().forEach(TestElection::close);
    }

    @Tag("proof")
    @Test
    void three_hundred_members_are_assigned_and_few_of_them_bid_when_the_leader_crashes() {
        for (int number = 1; number <= MEMBERS; number++) {
            TestElection member = new TestElection(Settings.named(settings, "member-" + number), metrics);
            members.add(member);
            member.start();
        }
        eventually().atMost(LIMIT).until(() -> members.stream().allMatch(LargeGroupIT::isAssigned));
        eventually().until(() -> members.stream().anyMatch(LargeGroupIT::leads));
        TestElection leader =
                members.stream().filter(LargeGroupIT::leads).findFirst().orElseThrow();
        leader.awaitRenewal();
        int before = bids.get();

        leader.clients.reader().freeze();
        leader.clients.group().freeze();

        eventually().until(() -> members.stream().anyMatch(member -> member != leader && leads(member)));
        // Those that bid before they have read the first three: a handful where the machine keeps up, as the bench
        // shows.
        assertThat(bids.get() - before).isBetween(1, MEMBERS - 1);
    }
}
