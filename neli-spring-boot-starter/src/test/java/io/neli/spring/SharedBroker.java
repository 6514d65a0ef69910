package io.neli.spring;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** One broker for all tests of a JVM, so each test names groups and topics of its own. */
public final class SharedBroker {

    private static final EmbeddedKafkaKraftBroker BROKER = started();

    private SharedBroker() {}

    private static EmbeddedKafkaKraftBroker started() {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.brokerProperty("transaction.state.log.replication.factor", "1");
        broker.brokerProperty("transaction.state.log.min.isr", "1");
        broker.brokerProperty("offsets.topic.num.partitions", "3"); // the default of fifty takes seconds to load
        broker.brokerListProperty("shared.broker"); // others leave spring.kafka.bootstrap-servers unset
        broker.afterPropertiesSet();
        Runtime.getRuntime().addShutdownHook(new Thread(broker::destroy, "shared-broker-stop"));
        return broker;
    }

    public static EmbeddedKafkaKraftBroker get() {
        return BROKER;
    }

    public static String address() {
        return BROKER.getBrokersAsString();
    }
}
