package io.neli.spring;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NotLeaderException;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

class LeaderKafkaTemplatesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
            .withBean(StubNeli.class, StubNeli::standby);

    @Test
    void on_a_standby_the_leader_s_template_refuses_and_the_application_s_own_sends() {
        Producer<Object, Object> producer = mock();
        when(producer.send(any(), any())).thenReturn(new CompletableFuture<>());
        application
                .withBean(Settlement.class)
                .withBean(Mail.class)
                .withBean(ProducerFactory.class, () -> new Producers(producer))
                .run(context -> {
                    assertThatThrownBy(context.getBean(Settlement.class)::settle)
                            .isInstanceOf(NotLeaderException.class);
                    context.getBean(Mail.class).send();

                    verify(producer).send(any(), any());
                });
    }

    @Test
    void they_have_the_settings_of_the_application_s_own_template() {
        ProducerListener<Object, Object> listener = mock();
        RecordMessageConverter converter = new ByteArrayJacksonJsonMessageConverter();
        application
                .withBean(ProducerListener.class, () -> listener)
                .withBean(RecordMessageConverter.class, () -> converter)
                .withPropertyValues(
                        "spring.kafka.template.default-topic=invoices",
                        "spring.kafka.template.observation-enabled=true",
                        "spring.kafka.template.transaction-id-prefix=own-")
                .run(context -> {
                    KafkaTemplate<?, ?> template =
                            context.getBean(LeaderKafkaTemplates.class).forRole("invoices");

                    assertThat(template.getDefaultTopic()).isEqualTo("invoices");
                    assertThat(template.getMessageConverter()).isSameAs(converter);
                    assertThat(template.getTransactionIdPrefix()).isNull();
                    assertThat(ReflectionTestUtils.getField(template, "observationEnabled"))
                            .isEqualTo(true);
                    assertThat(ReflectionTestUtils.getField(template, "producerListener"))
                            .isSameAs(listener);
                });
    }

    @Test
    void a_role_has_one_template() {
        application.run(context -> {
            LeaderKafkaTemplates<?, ?> templates = context.getBean(LeaderKafkaTemplates.class);

            assertThat(templates.forRole("invoices")).isSameAs(templates.forRole("invoices"));
            assertThat(templates.forRole("reports", 4)).isSameAs(templates.forRole("reports", 4));
            assertThatThrownBy(() -> templates.forRole("reports"))
                    .isInstanceOf(NeliException.class)
                    .hasMessageContaining("for 4 transactions at a time, and one for 1 is asked for");
        });
    }

    /** If they shared one, the leader of one group would fence that of the other. */
    @Test
    void groups_and_roles_that_read_the_same_when_joined_share_no_transactional_id() {
        assertThat(transactionalId("billing", "eu-invoices")).isNotEqualTo(transactionalId("billing-eu", "invoices"));
        assertThat(transactionalId("billing", "neli.a")).isNotEqualTo(transactionalId("billing.neli", "a"));
    }

    private static @Nullable String transactionalId(String groupId, String role) {
        Neli election = Neli.builder()
                .kafka(Map.of("bootstrap.servers", "localhost:9092"))
                .groupId(groupId)
                .roles(role)
                .build();
        return new LeaderKafkaTemplates<>(new DefaultKafkaProducerFactory<>(Map.of()), election, template -> {})
                .forRole(role)
                .getProducerFactory()
                .getTransactionIdPrefix();
    }

    /** If it were accepted, each event would fail, and no member could lead any role. */
    @Test
    void a_role_that_the_election_does_not_know_is_refused_where_the_template_is_made() {
        Neli election = Neli.builder()
                .kafka(Map.of("bootstrap.servers", "localhost:9092"))
                .groupId("billing")
                .roles("invoices", "reports")
                .build();
        LeaderKafkaTemplates<Object, Object> templates =
                new LeaderKafkaTemplates<>(new DefaultKafkaProducerFactory<>(Map.of()), election, template -> {});

        assertThatThrownBy(() -> templates.forRole("invoice"))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("the role is 'invoice'");
    }

    @Test
    void they_are_notified_before_the_other_listeners_which_may_send() {
        application.withUserConfiguration(FirstListener.class).run(context -> assertThat(
                        context.getBeanProvider(LeaderListener.class).orderedStream())
                .hasSizeGreaterThan(2)
                .first()
                .isInstanceOf(LeaderKafkaTemplates.class));
    }

    @Test
    void as_a_bean_a_template_is_refused_as_all_would_send_with_it() {
        application.withUserConfiguration(Declared.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("bean 'invoices' is a LeaderKafkaTemplate")
                .hasMessageContaining("inject LeaderKafkaTemplates"));
    }

    @Test
    void without_an_election_or_a_producer_factory_there_is_none() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class))
                .withBean(StubNeli.class, StubNeli::standby)
                .run(context -> assertThat(context).doesNotHaveBean(LeaderKafkaTemplates.class));
        application.run(parent -> new ApplicationContextRunner()
                .withParent(parent)
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
                .run(child -> assertThat(child.getBean(LeaderKafkaTemplates.class))
                        .isSameAs(parent.getBean(LeaderKafkaTemplates.class))));
    }

    static class Producers extends DefaultKafkaProducerFactory<Object, Object> {

        private final Producer<Object, Object> only;

        Producers(Producer<Object, Object> only) {
            super(Map.of());
            this.only = only;
        }

        @Override
        protected Producer<Object, Object> createRawProducer(Map<String, Object> properties) {
            return only;
        }
    }

    static class Settlement {

        private final LeaderKafkaTemplate<String, String> invoices;

        Settlement(LeaderKafkaTemplates<String, String> templates) {
            invoices = templates.forRole("invoices");
        }

        void settle() {
            invoices.executeInTransaction(operations -> operations.send("invoices", "paid"));
        }
    }

    static class Mail {

        private final KafkaTemplate<String, String> template;

        Mail(KafkaTemplate<String, String> template) {
            this.template = template;
        }

        void send() {
            template.send("mail", "hello");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FirstListener {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE + 1)
        LeaderListener first() {
            return event -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Declared {

        @Bean
        LeaderKafkaTemplate<String, String> invoices(LeaderKafkaTemplates<String, String> templates) {
            return templates.forRole("invoices");
        }
    }
}
