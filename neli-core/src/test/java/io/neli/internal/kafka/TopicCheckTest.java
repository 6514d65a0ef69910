package io.neli.internal.kafka;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TopicCheckTest {

    private static final Node NODE = new Node(0, "localhost", 9092);

    @ParameterizedTest
    @CsvSource({
        "3, 3, min.insync.replicas=2 retention.ms=604800000,", // as Neli creates it
        "1, 1, min.insync.replicas=1 retention.ms=604800000,",
        "1, 3, min.insync.replicas=1 retention.ms=604800000, Topic neli: replication factor is '1'",
        "3, 3, unclean.leader.election.enable=true, Topic neli: unclean.leader.election.enable is 'true'",
        "3, 3, retention.ms=60000, Topic neli: retention.ms is '60000'",
        "3, 3, min.insync.replicas=1, Topic neli: min.insync.replicas is '1'",
        "3, 3, id=none, Topic neli: id is 'none'"
    })
    void a_topic_that_is_less_than_safe_is_warned_of_once(int replicas, int brokers, String config, String warning) {
        Logger logger = (Logger) LoggerFactory.getLogger(TopicCheck.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        Map<String, String> entries = Stream.of(config.split(" "))
                .map(each -> each.split("="))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        List<Node> nodes = Collections.nCopies(replicas, NODE);
        Uuid id = entries.containsKey("id") ? Uuid.ZERO_UUID : Uuid.randomUuid();
        List<TopicPartitionInfo> partitions = List.of(new TopicPartitionInfo(0, NODE, nodes, nodes));
        TopicDescription topic = new TopicDescription("neli", false, partitions, Set.of(), id);
        TopicCheck check = new TopicCheck(Settings.offline(Map.of()));
        for (int time = 0; time < 2; time++) {
            check.check(0, topic, entries);
            if (check.hasFewReplicas(topic)) {
                check.warnOfReplicas(topic, brokers);
            }
        }
        logger.detachAppender(logged);
        List<String> messages =
                logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(messages).hasSameSizeAs(Stream.ofNullable(warning).toList());
        assertThat(messages).allSatisfy(message -> assertThat(message).startsWith(warning));
    }

    @Test
    void a_first_log_with_several_replicas_is_not_to_be_deleted_if_it_is_being_moved() {
        List<TopicPartitionInfo> partitions = List.of(new TopicPartitionInfo(0, NODE, List.of(NODE, NODE), List.of()));
        TopicDescription first = new TopicDescription("neli", false, partitions);
        TopicCheck check = new TopicCheck(Settings.withQuorum(Settings.offline(Map.of()), 1, 3));
        assertThatThrownBy(() -> check.refuseSingleLog(first))
                .isInstanceOf(UnusableLogException.class)
                .hasMessageContainingAll("several replicas", "being moved to another broker, wait");
    }
}
