package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.neli.NeliBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.StringUtils;

/** Carries properties over to the builder, and leaves the builder its defaults where none is set. */
final class NeliBuilderConfigurer {

    /** For what may pass by itself; brokers in containers beside this one take their time. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final NeliProperties properties;
    private final @Nullable String applicationName;
    private final @Nullable String consumerGroupId;

    NeliBuilderConfigurer(
            NeliProperties properties, @Nullable String applicationName, @Nullable String consumerGroupId) {
        this.properties = properties;
        this.applicationName = applicationName;
        this.consumerGroupId = consumerGroupId;
    }

    void configure(NeliBuilder builder, Map<String, ?> clientProperties) {
        builder.kafka(clientProperties).groupId(groupId());
        PropertyMapper map = PropertyMapper.get(); // passes over null
        if (properties.failFast()) {
            builder.failFast(START_LIMIT);
        }
        map.from(properties.topic()).whenHasText().to(builder::topic);
        map.from(properties.name()).whenHasText().to(builder::name);
        map.from(properties.partitions()).to(builder::partitions);
        map.from(properties.roles()).to(builder::roles);
        map.from(properties.mode()).to(builder::mode);
        map.from(properties.heartbeatInterval()).to(builder::heartbeatInterval);
        map.from(properties.heartbeatTimeout()).to(builder::heartbeatTimeout);
        map.from(properties.handoverTimeout()).to(builder::handoverTimeout);
        map.from(properties.candidate()).to(builder::candidate);
        map.from(properties.takeover()).to(builder::takeover);
        map.from(properties.task().interruptOnFence()).to(builder::interruptOnFence);
        map.from(properties.task().limit()).to(builder::workLimit);
        map.from(properties.topicCreation().enabled()).to(builder::topicCreation);
        map.from(properties.topicCreation().replicationFactor()).to(builder::replicationFactor);
        map.from(properties.topicCreation().retention()).to(builder::retention);
    }

    /** Kafka refuses whichever of two kinds of consumers comes second to a group: it may be the application's own. */
    private String groupId() {
        String groupId = chosenGroupId();
        if (groupId.equals(consumerGroupId)) {
            throw new NeliPropertyException(
                    "neli.group-id, by default spring.application.name, is '" + groupId
                            + "', and so is spring.kafka.consumer.group-id: one consumer group cannot serve both.",
                    "Set neli.group-id to another name that all instances share, such as '" + groupId + "-election'.");
        }
        return groupId;
    }

    private String chosenGroupId() {
        String groupId = properties.groupId();
        if (groupId != null && StringUtils.hasText(groupId)) {
            return groupId;
        }
        if (applicationName != null && StringUtils.hasText(applicationName)) {
            return applicationName;
        }
        throw new NeliPropertyException(
                "Neither neli.group-id nor spring.application.name is set.",
                "Set neli.group-id to a name that all instances of this application share.");
    }
}
