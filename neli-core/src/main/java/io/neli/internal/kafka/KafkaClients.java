package io.neli.internal.kafka;

import java.util.Map;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/** Creates Kafka's clients; tests substitute others. */
class KafkaClients {

    Admin admin(Map<String, Object> properties) {
        return Admin.create(properties);
    }

    Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties);
    }

    Producer<byte[], byte[]> producer(Map<String, Object> properties) {
        return new KafkaProducer<>(properties);
    }
}
