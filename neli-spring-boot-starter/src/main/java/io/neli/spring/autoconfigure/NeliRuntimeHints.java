package io.neli.spring.autoconfigure;

import io.neli.internal.kafka.NeliAssignor;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;

/** What is made by reflection: by the election's Kafka clients, from names of classes, and by Spring, from annotations. */
final class NeliRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (Class<?> type : new Class<?>[] {
            NeliAssignor.class, ByteArraySerializer.class, ByteArrayDeserializer.class, SslBundleSslEngineFactory.class
        }) {
            hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        }
        // Merged from annotations that carry them.
        hints.proxies().registerJdkProxy(LeaderOnly.class).registerJdkProxy(StartWhenLeading.class);
    }
}
