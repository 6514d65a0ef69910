package io.neli.spring.autoconfigure;

import java.util.stream.Stream;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * What is created by reflection, by name, because Kafka may not be there: by the election's Kafka clients, from class
 * names, and by Spring, from annotations.
 */
final class NeliRuntimeHints implements RuntimeHintsRegistrar {

    private static final String KAFKA_LISTENER = "org.springframework.kafka.annotation.KafkaListener";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        MemberCategory constructors = MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS;
        Stream.of(
                        "io.neli.internal.kafka.NeliAssignor",
                        "org.apache.kafka.common.serialization.ByteArraySerializer",
                        "org.apache.kafka.common.serialization.ByteArrayDeserializer",
                        "org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory")
                .forEach(type -> hints.reflection().registerType(TypeReference.of(type), constructors));
        // Merged from annotations that carry them, and the last one with a containerPostProcessor of ours.
        Stream.of(LeaderOnly.class.getName(), StartWhenLeading.class.getName(), KAFKA_LISTENER)
                .forEach(annotation -> hints.proxies().registerJdkProxy(TypeReference.of(annotation)));
    }
}
