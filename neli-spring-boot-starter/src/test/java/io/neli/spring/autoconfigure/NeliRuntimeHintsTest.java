package io.neli.spring.autoconfigure;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class NeliRuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @BeforeEach
    void register() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(registrar -> registrar.getClass().getPackageName().startsWith("io.neli"))
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
    }

    @ParameterizedTest
    @ValueSource(classes = {ByteArraySerializer.class, ByteArrayDeserializer.class, SslBundleSslEngineFactory.class})
    void what_the_kafka_clients_create_from_a_name_can_be_created(Class<?> type) throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(type.getConstructor()))
                .accepts(hints);
    }

    @Test
    void the_assignor_that_is_configured_by_its_name_can_be_created() throws ReflectiveOperationException {
        Class<?> assignor = Class.forName("io.neli.internal.kafka.NeliAssignor");
        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(assignor.getConstructor()))
                .accepts(hints);
    }

    @ParameterizedTest
    @ValueSource(classes = {LeaderOnly.class, StartWhenLeading.class})
    void an_annotation_that_others_carry_can_be_merged(Class<?> annotation) {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(annotation)).accepts(hints);
    }
}
