package io.neli.internal.kafka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Chooses the brokers on which the topics of a quorum's logs are created, and detects wrong ones. */
class TopicPlacementTest {

    private static KafkaSettings settings(int partitions, int quorum) {
        return Settings.withQuorum(Settings.offline(Map.of()), partitions, quorum);
    }

    private static Node broker(int id, @Nullable String rack) {
        return new Node(id, "localhost", 9092, rack);
    }

    /** Brokers written as {@code 1/a 2/b 3}: the racks of the first two are known. */
    private static List<Node> brokers(String text) {
        return Arrays.stream(text.split(" "))
                .map(each -> each.split("/"))
                .map(each -> broker(Integer.parseInt(each[0]), each.length > 1 ? each[1] : null))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static TopicDescription topic(int number, List<Set<Integer>> brokers) {
        List<TopicPartitionInfo> partitions = new ArrayList<>();
        for (Set<Integer> replicas : brokers) {
            List<Node> nodes = replicas.stream().map(id -> broker(id, null)).toList();
            partitions.add(new TopicPartitionInfo(partitions.size(), nodes.get(0), nodes, nodes));
        }
        return new TopicDescription(number == 0 ? "group.neli" : "group.neli." + number, false, partitions);
    }

    /**
     * The brokers of partitions 0, 1, ..., such as {@code 1 2 3}, or {@code 12 3} for two replicas; {@code -} for no
     * topic.
     */
    private static Map<Integer, TopicDescription> topics(String text) {
        Map<Integer, TopicDescription> topics = new HashMap<>();
        String[] each = text.split(", ");
        for (int number = 0; number < each.length; number++) {
            if (!each[number].equals("-")) {
                List<Set<Integer>> brokers = Arrays.stream(each[number].split(" "))
                        .map(partition -> partition
                                .chars()
                                .map(digit -> digit - '0')
                                .boxed()
                                .collect(Collectors.toSet()))
                        .toList();
                topics.put(number, topic(number, brokers));
            }
        }
        return topics;
    }

    private static List<Integer> place(
            int number, KafkaSettings settings, List<Node> live, Collection<TopicDescription> others) {
        return new TopicCreation(settings, () -> true)
                .placement(number, 0, live, others).values().stream()
                        .map(brokers -> brokers.get(0))
                        .toList();
    }

    @ParameterizedTest(name = "{0}: log {1} on {2} next to {3}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "the first,                              0, 1 2 3,             -,              1 1 1 1",
                "the second,                             1, 1 2 3,             1 1 1 1,        2 2 2 2",
                "the third,                              2, 1 2 3,             \"1 1 1, 2 2 2\", 3 3 3 3",
                "as many brokers for each,               1, 1 2 3 4 5 6 7,     1 4 1 4,        2 5 2 5",
                "next to partitions on other brokers,    1, 1 2 3,             1 2 3 1,        2 3 2 2",
                "racks before an even spread,            1, 1/a 2/a 3/b,       1 1 2 2,        3 3 3 3",
                "the next one within racks,              1, 1/a 2/a 3/b 4/b,   1 1 2 2,        3 3 3 3",
                "as many racks as there are,             2, 1/a 2/a 3/b,       \"1 1, 3 3\",   2 2",
                "a broker that has joined,               1, 1 3 4,             \"1 3, 3 1\",   4 4",
                "where another log has a broker left,    0, 1 2 3,             \"2 2, 3 3\",   1 1",
                "no broker left,                         2, 1 2,               \"1, 2\",       none",
                "fewer brokers than logs,                0, 1 2,               -,              none",
                "none for one of the partitions,         2, 1 2 3,             \"1 1, 2 23\",  none",
            })
    void a_log_is_placed_on_brokers_that_no_other_log_of_the_partition_uses(
            String why, int number, String live, String others, String expected) {
        List<Node> brokers = brokers(live);
        Collections.reverse(brokers); // their order does not matter
        if (expected.equals("none")) {
            assertThatThrownBy(() -> place(
                            number, settings(2, 3), brokers, topics(others).values()))
                    .as(why)
                    .isInstanceOfSatisfying(UnusableLogException.class, refusal -> {
                        assertThat(refusal.problem().passing()).isTrue();
                        assertThat(refusal.problem().text())
                                .contains("neli.quorum is '3'", "start 3 brokers")
                                .contains("brokers that run are [" + live.replace(" ", ", ") + "]")
                                .contains("each log of a partition needs a broker that no other log uses");
                    });
            return;
        }
        List<Integer> wanted =
                Arrays.stream(expected.split(" ")).map(Integer::valueOf).toList();
        assertThat(place(
                        number,
                        settings(wanted.size(), 3),
                        brokers,
                        topics(others).values()))
                .as(why)
                .isEqualTo(wanted);
    }

    @Test
    void a_partition_is_added_on_the_broker_that_its_topic_has() {
        Collection<TopicDescription> found = topics("4, 2, 3").values(); // another broker was replaced
        assertThat(new TopicCreation(settings(2, 3), () -> true).placement(0, 1, brokers("2 3 4"), found))
                .isEqualTo(Map.of(1, List.of(4)));
    }

    @Test
    void logs_that_are_placed_one_after_the_other_never_share_a_broker_and_are_evenly_spread() {
        for (int quorum = 3; quorum <= 5; quorum += 2) {
            for (int count = quorum; count < 9; count++) {
                for (int racks = 1; racks <= 4; racks++) {
                    place(quorum, count, racks);
                }
            }
        }
    }

    private static void place(int quorum, int count, int racks) {
        int partitions = 2 * count;
        List<Node> brokers = IntStream.range(0, count)
                .mapToObj(id -> broker(id, racks == 1 ? null : "rack-" + id % racks))
                .toList();
        KafkaSettings settings = settings(partitions, quorum);
        Map<Integer, TopicDescription> topics = new HashMap<>();
        Map<Integer, Integer> load = new HashMap<>();
        for (int number = 0; number < quorum; number++) {
            List<Integer> chosen = place(number, settings, brokers, topics.values());
            chosen.forEach(id -> load.merge(id, 1, Integer::sum));
            topics.put(number, topic(number, chosen.stream().map(Set::of).toList()));
        }
        String label = quorum + " logs, " + count + " brokers, " + racks + " racks";
        assertThat(new LeaderTopics(settings, () -> true).sharing(topics, Set.of()))
                .as(label)
                .isEmpty();
        for (int partition = 0; partition < partitions; partition++) {
            int number = partition;
            long usedRacks = topics.values().stream()
                    .flatMap(topic -> TopicCreation.brokers(topic, number).stream())
                    .map(id -> id % racks)
                    .distinct()
                    .count();
            assertThat(usedRacks).as(label).isEqualTo(Math.min(Math.min(racks, count), quorum));
        }
        if (racks == 1) {
            assertThat(topics.values().stream().flatMap(topic -> topic.partitions().stream()
                            .map(each -> each.replicas().get(0).id())
                            .distinct()))
                    .as(label + ", each with the logs of one topic")
                    .doesNotHaveDuplicates();
            int average = quorum * partitions / (count - count % quorum);
            assertThat(load.values()).as(label).allSatisfy(each -> assertThat(each)
                    .isBetween(average - 1, average + 1));
        }
    }

    @ParameterizedTest(name = "{0}: {1}, in use {2}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "nothing is wrong,                        \"1 2, 2 3, 3 1\",      ,     ",
                "the last is refused,                     \"1 2, 2 3, 1 1\",      ,     2",
                "but not one that is in use,              \"1 2, 2 3, 1 1\",      2,    0",
                "one with replicas everywhere,            \"1, 123, 3\",          ,     1",
                "all on one broker,                       \"1, 1, 1\",            ,     1 2",
                "others that share with none are used,           \"1, 1, 1, 2, 3\",      ,     1 2",
                "a topic that is missing,                 \"1, -, 1\",            0,    2",
            })
    void logs_that_share_a_broker_with_one_that_is_used_are_refused(
            String why, String topics, String inUse, String expected) {
        Set<Integer> used = inUse == null ? Set.of() : Set.of(Integer.parseInt(inUse));
        Map<Integer, UnusableLogException> refused =
                new LeaderTopics(settings(2, 3), () -> true).sharing(topics(topics), used);
        String numbers = refused.keySet().stream().map(String::valueOf).collect(Collectors.joining(" "));
        assertThat(numbers).as(why).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void logs_that_share_a_broker_are_named_with_the_first_partition_and_the_broker() {
        Map<Integer, TopicDescription> topics = topics("1 2 3, 2 3 3, 3 2 2");
        Map<Integer, UnusableLogException> refused =
                new LeaderTopics(settings(3, 3), () -> true).sharing(topics, Set.of());
        assertThat(refused).containsOnlyKeys(1, 2);
        assertThat(refused.get(1))
                .hasMessageContaining("partition 2 of the topics 'group.neli' and 'group.neli.1' is on"
                        + " the same broker, 3, so 'group.neli.1' is not used");
        assertThat(refused.get(2))
                .hasMessageContaining("partition 1 of the topics 'group.neli' and 'group.neli.2' is on"
                        + " the same broker, 2, so 'group.neli.2' is not used");
        assertThat(new LeaderTopics(settings(1, 3), () -> true).sharing(topics, Set.of()))
                .as("only partitions that are used")
                .isEmpty();
    }
}
