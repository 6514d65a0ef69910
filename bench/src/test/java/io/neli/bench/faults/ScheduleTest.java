package io.neli.bench.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScheduleTest {

    private static List<List<Fault>> seeds(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(seed -> Schedule.of(Arrangement.QUORUM, seed))
                .toList();
    }

    @Test
    void a_seed_always_gives_the_same_faults() {
        assertThat(seeds(100)).isEqualTo(seeds(100));
        assertThat(Set.copyOf(seeds(100))).hasSize(100);
    }

    @Test
    void five_hundred_seeds_bring_each_kind_to_each_target_alone_and_in_pairs() {
        Set<String> all = new TreeSet<>();
        for (FaultKind kind : Arrangement.QUORUM.kinds()) {
            kind.targets().forEach(target -> all.add(new Fault(kind, target, 1, 0, 0).name()));
        }
        List<List<Fault>> drawn = seeds(500);
        assertThat(drawn.stream().flatMap(List::stream).map(Fault::name).collect(Collectors.toSet()))
                .isEqualTo(all);
        assertThat(drawn).filteredOn(faults -> faults.size() == 2).hasSizeBetween(125, 225);
        assertThat(drawn).allSatisfy(faults -> assertThat(faults).hasSizeBetween(1, 2));
    }

    @Test
    void a_fault_lasts_from_a_tenth_of_a_lease_to_ten() {
        List<Double> leases =
                seeds(500).stream().flatMap(List::stream).map(Fault::leases).toList();
        assertThat(leases).allSatisfy(each -> assertThat(each).isBetween(0.1, 10.0));
        assertThat(leases).anyMatch(each -> each < 0.2).anyMatch(each -> each > 8);
    }

    @Test
    void each_kind_is_there_once_and_twice_where_it_may_hit_more_than_one_broker() {
        List<Fault> faults = Schedule.ofEachKind(Arrangement.QUORUM, 1);
        assertThat(faults.stream().map(Fault::kind).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.copyOf(Arrangement.QUORUM.kinds()));
        assertThat(faults.stream().map(Fault::name)).doesNotHaveDuplicates();
        for (FaultKind kind : Arrangement.QUORUM.kinds()) {
            assertThat(faults)
                    .filteredOn(fault -> fault.kind() == kind)
                    .hasSize(kind.targets().contains(FaultKind.Target.ALL_BROKERS) ? 2 : 1);
        }
    }

    @Test
    void two_logs_are_not_lost_together() {
        assertThat(FaultKind.TOPIC_DELETED.allows(FaultKind.TOPIC_DELETED)).isFalse();
        assertThat(FaultKind.LOG_REPLACED.allows(FaultKind.TOPIC_DELETED)).isFalse();
        assertThat(FaultKind.TOPIC_DELETED.allows(FaultKind.LOG_REPLACED)).isFalse();
        assertThat(FaultKind.TOPIC_DELETED.allows(FaultKind.RESET)).isTrue();
    }

    @Test
    void nothing_restarts_what_is_restarted_one_by_one_already() {
        assertThat(seeds(500)).filteredOn(faults -> faults.size() == 2).allSatisfy(pair -> assertThat(
                        pair.get(0).kind().allows(pair.get(1).kind()))
                .isTrue());
        assertThat(FaultKind.MEMBERS_ROLLED.allows(FaultKind.MEMBER_KILLED)).isFalse();
        assertThat(FaultKind.MEMBERS_ROLLED.allows(FaultKind.SILENT_ALL)).isTrue();
        assertThat(FaultKind.BROKERS_ROLLED.allows(FaultKind.BROKER_KILLED)).isFalse();
        assertThat(FaultKind.BROKERS_ROLLED.allows(FaultKind.MEMBER_FROZEN)).isTrue();
        assertThat(FaultKind.RESET.allows(FaultKind.BROKERS_ROLLED)).isFalse();
    }

    @Test
    void brokers_that_can_be_separated_are_in_every_way_but_not_in_two_at_once() {
        List<List<Fault>> drawn = LongStream.rangeClosed(1, 100)
                .mapToObj(seed -> Schedule.of(Arrangement.SPLIT, seed))
                .toList();
        assertThat(drawn.stream().flatMap(List::stream).map(Fault::name))
                .contains(
                        "BROKER_SPLIT_OFF LOG_LEADER",
                        "BROKER_SPLIT_OFF TWO_LOGS",
                        "BROKERS_SPLIT",
                        "LOG_REPLACED LEADER",
                        "LOG_REPLACED STANDBY",
                        "MEMBER_FROZEN LEADER");
        assertThat(drawn).allSatisfy(faults -> assertThat(faults)
                .filteredOn(fault -> fault.kind().needsFirewall())
                .hasSizeLessThan(2));
    }
}
