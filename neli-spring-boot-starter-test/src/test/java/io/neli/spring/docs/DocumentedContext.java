package io.neli.spring.docs;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** What code on a page uses of its reader's application. Only compiled against, never run. */
@SuppressWarnings("NullAway") // nothing is ever instantiated
public abstract class DocumentedContext {

    protected static final Logger log = LoggerFactory.getLogger("application");

    protected Neli neli;
    protected Leadership leadership;
    protected Store store;
    protected Order order;
    protected Books books;
    protected Executor executor;
    protected String id;
    protected JdbcTemplate jdbc;
    protected TransactionTemplate transactions;
    protected LeaderKafkaTemplates<String, String> templates;
    protected ProducerFactory<String, String> producers;

    public interface Order {}

    public interface Invoice {}

    public interface Books {

        void close(Instant due);

        List<Instant> closed();
    }

    public interface Receipt {}

    public interface Store {

        void write(Order order, long token);

        List<Invoice> open();
    }

    public static class Billing {

        public Billing() {}

        public Billing(Neli neli) {}

        public java.util.Optional<Receipt> settle() {
            return java.util.Optional.empty();
        }
    }
}
