package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests with Kafka's admin client, and waits for the brokers' answers, with limits. */
final class AdminRequests {

    private static final Logger log = LoggerFactory.getLogger(AdminRequests.class);

    /** Longer than the admin client retries a request. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(7);

    /** A topic that one broker has described may be unknown to another for a moment. */
    static final int APPEARANCE_TRIES = 100;

    static final long APPEARANCE_PAUSE_MILLIS = 20;

    private AdminRequests() {}

    /** Waits for the brokers' answer to an admin request; throws the cause if it fails. */
    static <T> T answer(@Nullable Future<T> asked) throws InterruptedException {
        return answer(Objects.requireNonNull(asked, "not asked for"), ANSWER_LIMIT);
    }

    static <T> T answer(Future<T> asked, Duration limit) throws InterruptedException {
        try {
            return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s", e);
        }
    }

    /** Asks for the topics of these logs. The answer fails with UnknownTopicOrPartitionException if one is missing. */
    static Map<Integer, KafkaFuture<TopicDescription>> describe(
            Admin admin, ShellSettings settings, Collection<Integer> numbers, boolean withRights) {
        List<String> names = numbers.stream().map(settings::topic).toList();
        Map<String, KafkaFuture<TopicDescription>> asked = admin.describeTopics(
                        names, new DescribeTopicsOptions().includeAuthorizedOperations(withRights))
                .topicNameValues();
        Map<Integer, KafkaFuture<TopicDescription>> answers = new TreeMap<>();
        numbers.forEach(number ->
                answers.put(number, Objects.requireNonNull(asked.get(settings.topic(number)), "not asked for")));
        return answers;
    }

    /** The configuration of an existing topic; empty if this member may not read it. */
    static Map<String, String> config(Admin admin, String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        for (int tries = 1; ; tries++) {
            try {
                Config config =
                        answer(admin.describeConfigs(List.of(resource)).values().get(resource));
                return config.entries().stream()
                        .filter(entry -> entry.value() != null)
                        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
            } catch (AuthorizationException e) {
                log.debug("Not allowed to read the configuration of {}: it is not checked", topic);
                return Map.of();
            } catch (UnknownTopicOrPartitionException e) {
                if (tries == APPEARANCE_TRIES) {
                    throw e;
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
        }
    }

    /** Returns true if this call created the topic, false if the topic existed already. */
    static boolean create(Admin admin, NewTopic topic) throws InterruptedException {
        try {
            answer(admin.createTopics(List.of(topic)).all());
            return true;
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", topic.name());
            return false;
        }
    }
}
