package io.neli.internal.kafka;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.common.Node;

/**
 * On which brokers the logs of the partitions are: no two logs of a partition on one, so that a broker that fails takes one log
 * with it.
 */
final class LogPlacement {

    private LogPlacement() {}

    /**
     * Two logs of a partition are on one broker.
     *
     * @param log the one that is used nevertheless
     */
    record Shared(int log, int partition, int broker) {}

    /**
     * Chooses a broker for the log of each partition, in a rack of its own where that is possible; the next broker for the next
     * partition, and for the next log.
     *
     * @param number which of the logs it is
     * @param live the brokers that can take it
     * @param others the brokers of the other logs, by partition
     * @return the broker of each partition; empty if there is none for one of them
     */
    static Optional<Map<Integer, List<Integer>>> choose(
            int number, int partitions, Collection<Node> live, Collection<Map<Integer, Set<Integer>>> others) {
        List<Node> brokers =
                live.stream().sorted(Comparator.comparingInt(Node::id)).toList();
        Map<Integer, List<Integer>> chosen = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            int placed = partition;
            Set<Integer> used = others.stream()
                    .flatMap(other -> other.getOrDefault(placed, Set.of()).stream())
                    .collect(Collectors.toSet());
            Set<String> usedRacks = brokers.stream()
                    .filter(broker -> used.contains(broker.id()))
                    .map(Node::rack)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet());
            Optional<Node> next = IntStream.range(0, brokers.size())
                    .mapToObj(step -> brokers.get((placed + number + step) % brokers.size()))
                    .filter(broker -> !used.contains(broker.id()))
                    .min(Comparator.comparing(broker -> broker.hasRack() && usedRacks.contains(broker.rack())));
            if (next.isEmpty()) {
                return Optional.empty();
            }
            chosen.put(partition, List.of(next.get().id()));
        }
        return Optional.of(chosen);
    }

    /**
     * Which logs must not be used, as another that is used shares a broker with them: one that was in use before comes first, and
     * then the one with the smaller number.
     *
     * @return what is wrong with each
     */
    static Map<Integer, Shared> refused(
            Map<Integer, Map<Integer, Set<Integer>>> brokersByLog, int partitions, Set<Integer> inUse) {
        Map<Integer, Map<Integer, Set<Integer>>> used = new TreeMap<>();
        Map<Integer, Shared> refused = new TreeMap<>();
        brokersByLog.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Integer, ?>, Boolean>comparing(log -> !inUse.contains(log.getKey()))
                        .thenComparing(Map.Entry::getKey))
                .forEach(log -> {
                    Optional<Shared> shared = used.entrySet().stream()
                            .flatMap(other -> shared(other.getKey(), other.getValue(), log.getValue(), partitions))
                            .findFirst();
                    shared.ifPresentOrElse(
                            found -> refused.put(log.getKey(), found), () -> used.put(log.getKey(), log.getValue()));
                });
        return refused;
    }

    private static Stream<Shared> shared(
            int log, Map<Integer, Set<Integer>> its, Map<Integer, Set<Integer>> others, int partitions) {
        return IntStream.range(0, partitions).boxed().flatMap(partition -> {
            Set<Integer> both = new HashSet<>(its.getOrDefault(partition, Set.of()));
            both.retainAll(others.getOrDefault(partition, Set.of()));
            return both.stream().sorted().map(broker -> new Shared(log, partition, broker));
        });
    }
}
