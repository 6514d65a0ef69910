package io.neli.internal.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * On which brokers the logs of the partitions are: no two logs of a partition on one, so that a broker that fails takes one log
 * with it.
 */
final class LogPlacement {

    private LogPlacement() {}

    /**
     * A broker.
     *
     * @param rack null if it is not known
     */
    record Broker(int id, @Nullable String rack) {}

    /**
     * Two logs of a partition are on one broker.
     *
     * @param log one of them
     * @param other the other
     */
    record Shared(int log, int other, int partition, int broker) {}

    /**
     * Chooses a broker for the log of each partition, in racks of their own where that is possible, and evenly spread.
     *
     * @param number which of the logs it is
     * @param live the brokers that can take it
     * @param others the brokers of the other logs, by partition
     * @return the broker of each partition; empty if there is none for one of them
     */
    static Optional<Map<Integer, List<Integer>>> choose(
            int number, int partitions, Collection<Broker> live, Collection<Map<Integer, Set<Integer>>> others) {
        List<Broker> brokers = new ArrayList<>(live);
        brokers.sort(Comparator.comparingInt(Broker::id));
        Map<Integer, String> racks = new HashMap<>();
        brokers.stream()
                .filter(broker -> broker.rack() != null)
                .forEach(broker -> racks.put(broker.id(), broker.rack()));
        Map<Integer, Integer> load = new HashMap<>();
        others.forEach(other -> other.values().forEach(used -> used.forEach(id -> load.merge(id, 1, Integer::sum))));
        Map<Integer, List<Integer>> chosen = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            int placed = partition;
            Set<Integer> used = others.stream()
                    .flatMap(other -> other.getOrDefault(placed, Set.of()).stream())
                    .collect(Collectors.toSet());
            Set<String> usedRacks =
                    used.stream().map(racks::get).filter(Objects::nonNull).collect(Collectors.toSet());
            int first = partition + number;
            Optional<Broker> best = brokers.stream()
                    .filter(broker -> !used.contains(broker.id()))
                    .min(Comparator.<Broker, Boolean>comparing(broker -> usedRacks.contains(broker.rack()))
                            .thenComparing(broker -> load.getOrDefault(broker.id(), 0))
                            .thenComparing(broker -> Math.floorMod(brokers.indexOf(broker) - first, brokers.size())));
            if (best.isEmpty()) {
                return Optional.empty();
            }
            int id = best.get().id();
            load.merge(id, 1, Integer::sum);
            chosen.put(partition, List.of(id));
        }
        return Optional.of(chosen);
    }

    /** Where logs share a broker; each pair of logs is named once, with the first partition for which it is so. */
    static List<Shared> shared(Map<Integer, Map<Integer, Set<Integer>>> brokersByLog, int partitions) {
        List<Shared> shared = new ArrayList<>();
        List<Integer> logs = brokersByLog.keySet().stream().sorted().toList();
        for (int log : logs) {
            logs.stream().filter(other -> other > log).forEach(other -> shared(log, other, brokersByLog, partitions)
                    .ifPresent(shared::add));
        }
        return shared;
    }

    private static Optional<Shared> shared(
            int log, int other, Map<Integer, Map<Integer, Set<Integer>>> brokersByLog, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            Set<Integer> both = new HashSet<>(brokers(brokersByLog, log, partition));
            both.retainAll(brokers(brokersByLog, other, partition));
            if (!both.isEmpty()) {
                return Optional.of(new Shared(
                        log,
                        other,
                        partition,
                        both.stream().min(Comparator.naturalOrder()).orElseThrow()));
            }
        }
        return Optional.empty();
    }

    private static Set<Integer> brokers(Map<Integer, Map<Integer, Set<Integer>>> brokersByLog, int log, int partition) {
        return brokersByLog.getOrDefault(log, Map.of()).getOrDefault(partition, Set.of());
    }

    /**
     * Which logs must not be used, so that those that remain share no broker: as few as possible, and if possible none that is in
     * use.
     *
     * @return what is wrong with each
     */
    static Map<Integer, Shared> refused(
            Map<Integer, Map<Integer, Set<Integer>>> brokersByLog, int partitions, Set<Integer> inUse) {
        Map<Integer, Map<Integer, Set<Integer>>> remaining = new TreeMap<>(brokersByLog);
        Map<Integer, Shared> refused = new TreeMap<>();
        for (List<Shared> left = shared(remaining, partitions); !left.isEmpty(); left = shared(remaining, partitions)) {
            List<Shared> conflicts = left;
            int worst = remaining.keySet().stream()
                    .filter(log -> conflictsOf(log, conflicts) > 0)
                    .max(Comparator.<Integer, Boolean>comparing(log -> !inUse.contains(log))
                            .thenComparing(log -> conflictsOf(log, conflicts))
                            .thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
            refused.put(
                    worst,
                    conflicts.stream()
                            .filter(each -> each.log() == worst || each.other() == worst)
                            .findFirst()
                            .orElseThrow());
            remaining.remove(worst);
        }
        return refused;
    }

    private static long conflictsOf(int log, List<Shared> conflicts) {
        return conflicts.stream()
                .filter(each -> each.log() == log || each.other() == log)
                .count();
    }
}
