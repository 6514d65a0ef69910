package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.StringUtils;

/** Passes the properties to the builder, which keeps its defaults for those that are not set. */
record NeliBuilderConfigurer(NeliProperties properties, @Nullable String applicationName) {

    void configure(NeliBuilder builder) {
        configureDisabled(builder);
        PropertyMapper map = PropertyMapper.get(); // ignores null
        map.from(properties.name())
                .whenHasText()
                .as(name -> resolved("neli.name", name))
                .to(builder::name);
        map.from(properties.candidate()).to(builder::candidate);
        map.from(properties.priority()).to(builder::priority);
        properties.metadata().forEach((key, value) -> resolved("neli.metadata." + key, value));
        map.from(properties.metadata()).to(builder::metadata);
        map.from(properties.quorum()).to(builder::quorum);
        map.from(properties.mode()).to(builder::mode);
        map.from(properties.leaseDuration()).to(builder::leaseDuration);
        map.from(properties.heartbeatInterval()).to(builder::heartbeatInterval);
        map.from(properties.handoverTimeout()).to(builder::handoverTimeout);
        map.from(properties.failFast()).to(builder::failFast);
        map.from(properties.work().limit()).to(builder::workLimit);
        map.from(properties.work().warnAfter()).to(builder::workWarnAfter);
        map.from(properties.work().interruptOnFence()).to(builder::interruptOnFence);
        map.from(properties.topic().name()).whenHasText().to(builder::topic);
        map.from(properties.topic().create()).to(builder::createTopic);
        map.from(properties.topic().replicationFactor()).to(builder::replicationFactor);
        map.from(properties.topic().retention()).to(builder::retention);
    }

    /** Passes only the properties that also apply without an election. */
    void configureDisabled(NeliBuilder builder) {
        PropertyMapper map = PropertyMapper.get();
        map.from(groupId()).as(id -> resolved("neli.group-id", id)).to(builder::groupId);
        map.from(properties.roles())
                .as(roles ->
                        roles.stream().map(role -> resolved("neli.roles", role)).toList())
                .to(builder::roles);
        map.from(properties.partitions()).to(builder::partitions);
    }

    private @Nullable String groupId() {
        return StringUtils.hasText(properties.groupId()) ? properties.groupId() : applicationName;
    }

    /** Refuses a placeholder without a value, which Spring Boot leaves in the text, so that all members share it. */
    private static String resolved(String property, String value) {
        if (value.contains("${")) {
            throw new NeliException(
                    property + " is '" + value + "': the placeholder has no value",
                    "set what it names, or give it a default: ${name:default}");
        }
        return value;
    }
}
