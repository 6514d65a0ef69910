package io.neli.internal.kafka;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.internal.election.LogId;
import io.neli.internal.election.PartitionState;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;

/** Reports which logs do not work: a partition is led with the others, as long as these are a majority. */
final class LogReport {

    /**
     * Which of several logs one can lead by.
     *
     * @param needed how many a leader must hold, by partition
     * @param createdAgain logs that do not count, as the others do not know them yet
     */
    record Counted(IntUnaryOperator needed, Set<LogId> createdAgain) {

        static Counted of(List<PartitionState> partitions) {
            Set<LogId> createdAgain = new HashSet<>();
            for (int partition = 0; partition < partitions.size(); partition++) {
                for (int log : partitions.get(partition).logsCreatedAgain()) {
                    createdAgain.add(new LogId(partition, log));
                }
            }
            return new Counted(partition -> partitions.get(partition).enough(), createdAgain);
        }
    }

    private final KafkaSettings settings;
    private final Problems problems;
    private final LogHealth health;
    private final LogFailure description;

    private Set<LogId> lostLogs = Set.of();

    LogReport(KafkaSettings settings, Problems problems, LogHealth health) {
        this.settings = settings;
        this.problems = problems;
        this.health = health;
        this.description = new LogFailure(settings);
    }

    /** The logs that do not work, as last reported. */
    Set<LogId> lostLogs() {
        return lostLogs;
    }

    /**
     * Reports, or takes back, what is wrong now.
     *
     * @param closedForLong the logs that cannot be opened
     * @param unusable why topics cannot be used, by the number of their logs
     * @param brokers of a topic, as far as they are known
     * @param counted which logs one can lead by
     */
    void report(
            Set<LogId> closedForLong,
            Map<Integer, RuntimeException> unusable,
            Function<Integer, Set<Integer>> brokers,
            Counted counted) {
        Map<LogId, Optional<Problem>> failing = new HashMap<>();
        if (settings.shell().quorum() > 1) { // otherwise these are problems of the connection
            failing.putAll(health.failing());
        }
        closedForLong.forEach(log -> failing.putIfAbsent(log, Optional.empty()));
        unusable.forEach((number, why) -> {
            Optional<Problem> problem = Optional.of(description.of(number, why));
            settings.shell().logsOf(number).forEach(log -> failing.put(log, problem));
        });
        Map<Integer, Long> byPartition = Stream.concat(failing.keySet().stream(), counted.createdAgain().stream())
                .distinct()
                .collect(Collectors.groupingBy(LogId::partition, Collectors.counting()));
        int quorum = settings.shell().quorum();
        Set<Integer> lost = byPartition.entrySet().stream()
                .filter(each -> each.getValue() > quorum - counted.needed().applyAsInt(each.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        boolean all = lost.size() == settings.shell().partitions();
        int minority = quorum - settings.shell().majority();
        boolean majorityWorks = byPartition.values().stream().allMatch(each -> each <= minority);
        Set<Problem> causes = causes(failing, log -> lost.contains(log.partition()));
        partitions(Problems.Source.ALL_PARTITIONS, all, lost, majorityWorks, counted, causes);
        partitions(Problems.Source.PARTITION, !all && !lost.isEmpty(), lost, majorityWorks, counted, causes);
        lostLogs = Set.copyOf(failing.keySet());
        failing.keySet().removeIf(log -> lost.contains(log.partition()));
        logs(failing, brokers);
    }

    private void partitions(
            Problems.Source source,
            boolean applies,
            Set<Integer> lost,
            boolean majorityWorks,
            Counted counted,
            Set<Problem> causes) {
        if (!applies) {
            problems.clear(source);
            return;
        }
        String which = " of the " + settings.shell().quorum() + " logs (neli.quorum) of the partitions " + lost;
        Set<String> createdAgain = counted.createdAgain().stream()
                .filter(log -> lost.contains(log.partition()))
                .map(log -> settings.shell().topic(log.log()))
                .collect(Collectors.toCollection(TreeSet::new));
        String what;
        String fix = "check that each has a leader (kafka-topics.sh --describe), and the brokers' log";
        if (settings.shell().quorum() == 1) {
            what = "its partitions " + lost + " cannot be read";
        } else if (!createdAgain.isEmpty()) {
            what = "too few" + which + " are known to the group: those in " + createdAgain + " were created again";
            fix =
                    "start the brokers of the others; if these are gone for good, stop all members, delete all of the topics "
                            + settings.topics() + ", and start the members again";
        } else if (majorityWorks) {
            what = "not all" + which
                    + " can be read and written, as they must before the group is led for the first time";
        } else {
            what = "fewer than " + settings.shell().majority() + which + " can be read and written";
        }
        problems.report(
                source,
                new Problem(
                        settings.namedTopic(0) + ": " + what + inBrackets(causes) + ", so nobody is seen to lead there",
                        fix(causes).orElse(fix),
                        true));
    }

    private static Set<Problem> causes(Map<LogId, Optional<Problem>> failing, Predicate<LogId> which) {
        return failing.entrySet().stream()
                .filter(each -> which.test(each.getKey()))
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparingInt(LogId::log).thenComparing(LogId::partition)))
                .flatMap(each -> each.getValue().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String inBrackets(Set<Problem> causes) {
        String why = causes.stream().map(Problem::what).collect(Collectors.joining("; "));
        return why.isEmpty() ? "" : " (" + why + ")";
    }

    /** Of what does not pass by itself. */
    private static Optional<String> fix(Set<Problem> causes) {
        return causes.stream()
                .filter(cause -> !cause.passing())
                .map(Problem::fix)
                .findFirst();
    }

    /** Those of partitions that can be led. */
    private void logs(Map<LogId, Optional<Problem>> failing, Function<Integer, Set<Integer>> brokers) {
        if (failing.isEmpty()) {
            problems.clear(Problems.Source.LOGS);
            return;
        }
        Map<Integer, Set<Integer>> partitions = new TreeMap<>();
        failing.keySet().forEach(log -> partitions
                .computeIfAbsent(log.log(), number -> new TreeSet<>())
                .add(log.partition()));
        String which = partitions.entrySet().stream()
                .map(topic -> "'" + settings.shell().topic(topic.getKey()) + "' partitions " + topic.getValue()
                        + onBrokers(brokers.apply(topic.getKey())))
                .collect(Collectors.joining(", "));
        Set<Problem> causes = causes(failing, log -> true);
        problems.report(
                Problems.Source.LOGS,
                new Problem(
                        "neli.quorum is '" + settings.shell().quorum() + "': these logs are silent or cannot be used, "
                                + which
                                + inBrackets(causes)
                                + "; leadership continues with the others",
                        fix(causes)
                                .orElse("start the broker; if it is gone for good, delete the topic, which is then"
                                        + " created again on another (docs/operations.md)"),
                        true));
    }

    private static String onBrokers(Set<Integer> brokers) {
        return brokers.isEmpty() ? "" : " on brokers " + new TreeSet<>(brokers);
    }
}
