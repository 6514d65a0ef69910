package io.neli.spring.docs;

import java.util.List;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** What the code on a page finds around it: the application of its reader. Only compiled against. */
@SuppressWarnings("NullAway") // nothing is ever made
abstract class DocumentedContext {

    static final Logger log = LoggerFactory.getLogger("application");

    Neli neli;
    Leadership leadership;
    Store store;
    Order order;
    String id;
    JdbcTemplate jdbc;
    TransactionTemplate transactions;
    LeaderKafkaTemplates<String, String> templates;
    ProducerFactory<String, String> producers;

    interface Order {}

    interface Invoice {}

    interface Receipt {}

    interface Store {

        void write(Order order, long token);

        List<Invoice> open();
    }

    static class Billing {

        Billing() {}

        Billing(Neli neli) {}

        java.util.Optional<Receipt> settle() {
            return java.util.Optional.empty();
        }
    }
}
