package io.neli.spring.autoconfigure;

import java.util.stream.Stream;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.kafka.annotation.KafkaListener;

/** What is created by reflection: by the election's Kafka clients, from class names, and by Spring, from annotations. */
final class NeliRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        MemberCategory constructors = MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS;
        hints.reflection().registerType(TypeReference.of("io.neli.internal.kafka.NeliAssignor"), constructors);
        Stream.of(ByteArraySerializer.class, ByteArrayDeserializer.class, SslBundleSslEngineFactory.class)
                .forEach(type -> hints.reflection().registerType(type, constructors));
        // Merged from annotations that carry them, and the last one with a containerPostProcessor of ours.
        Stream.of(LeaderOnly.class, StartWhenLeading.class, KafkaListener.class)
                .forEach(annotation -> hints.proxies().registerJdkProxy(annotation));
    }
}
