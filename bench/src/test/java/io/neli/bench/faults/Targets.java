package io.neli.bench.faults;

import java.util.ArrayList;
import java.util.List;

import io.neli.cluster.MemberProcess;

/**
 * The roles of brokers and members before the faults begin, because later nobody may answer.
 *
 * @param logs the brokers that lead the partition, or the partitions of a quorum
 * @param brokers all brokers
 */
record Targets(
        String leader,
        List<String> standbys,
        int coordinator,
        List<Integer> logs,
        int controller,
        List<Integer> brokers) {

    static Targets of(Scene scene) {
        MemberProcess leader = scene.group().awaitLeader();
        List<String> standbys = new ArrayList<>(Scene.NAMES);
        standbys.remove(leader.name());
        return new Targets(
                leader.name(),
                standbys,
                scene.view().coordinator(scene.group().group()),
                scene.topics().stream().map(scene.view()::leader).toList(),
                scene.view().controller(),
                scene.brokers().ids());
    }

    String member(Fault fault) {
        return fault.target() == FaultKind.Target.STANDBY ? standbys.get(fault.variant() % standbys.size()) : leader;
    }

    int log(Fault fault) {
        return logs.get(fault.variant() % logs.size());
    }

    List<Integer> brokers(Fault fault) {
        return switch (fault.target()) {
            case COORDINATOR -> List.of(coordinator);
            case CONTROLLER -> List.of(controller);
            case LOG_LEADER -> List.of(log(fault));
            case TWO_BROKERS ->
                brokers.stream()
                        .filter(broker -> broker != 1 + fault.variant() % brokers.size())
                        .toList();
            default -> brokers;
        };
    }
}
