package io.neli.cluster;

import io.neli.cluster.Line.Kind;
import io.neli.harness.Link;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The group only says who should lead; nothing waits for it. */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
class CoordinatorOutageIT {

    @Test
    void leading_and_taking_over_go_on_while_the_group_coordinator_is_out_of_reach(BrokerProcess broker) {
        Link link = broker.link(0);
        try (Cluster cluster = Cluster.withDefaults(broker, "coordinator", link.address(), "a", "b", "c");
                ConsumerGroupView group = new ConsumerGroupView(broker.address(), cluster.group())) {
            MemberProcess leader = cluster.complete();
            group.awaitSettled(cluster.names(), leader.name());

            long cutOff = System.nanoTime();
            link.cutCoordinator();
            try {
                group.awaitEmpty(); // the coordinator has removed all of them
                assertThat(leader.leads()).isTrue();
                assertThat(cluster.eventsAfter(cutOff)).isEmpty();

                cluster.awaitTakeoverFrom(leader, leader.kill());
                cluster.startMissing();
            } finally {
                link.pass();
            }

            Line acquired = cluster.timeline()
                    .last(line -> line.kind() == Kind.ACQUIRED)
                    .orElseThrow();
            MemberProcess next = cluster.process(acquired);
            group.awaitSettled(cluster.names(), next.name());
            assertThat(cluster.eventsAfter(acquired.nanos())).noneMatch(next::isFrom);
            cluster.endAndCheck();
        }
    }
}
