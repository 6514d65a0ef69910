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
 * Registers what is created by reflection: classes that the election's Kafka clients create by name, and annotations
 * that Spring merges. Kafka's types are given by name, because Kafka may not be on the class path.
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
        // Spring merges these from composed annotations, and the last one also with our containerPostProcessor.
        Stream.of(LeaderOnly.class.getName(), StartWhenLeading.class.getName(), KAFKA_LISTENER)
                .forEach(annotation -> hints.proxies().registerJdkProxy(TypeReference.of(annotation)));
    }
}
