package io.neli.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.neli.Leadership;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The database of docs/fencing.md. */
class FencedStoreTest {

    private static final String PAGE = "docs/fencing.md";
    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "neli", "spring", "docs", "FencedStoreTest.java");

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final Store store = new Store(jdbc, new TransactionTemplate(new JdbcTransactionManager(database)));

    @BeforeEach
    void createTables() {
        for (String statement : CodeBlock.codeOn(PAGE, "sql").get(0).split(";", -1)) {
            if (!statement.isBlank()) {
                jdbc.execute(statement);
            }
        }
        jdbc.execute("create table payment (id bigint auto_increment primary key, invoice varchar(100))");
    }

    @Test
    void the_page_shows_what_is_tested_here() throws IOException {
        assertThat(Files.readString(SOURCE).replaceAll("(?m)^ +", ""))
                .contains(CodeBlock.codeOn(PAGE, "java").get(1).replaceAll("(?m)^ +", ""));
    }

    @Test
    void a_leader_writes_any_number_of_times_and_so_does_the_next() {
        store.pay("1", new Term(0));
        store.pay("2", new Term(0));
        store.pay("3", new Term(7));
        assertThat(payments()).containsExactly("1", "2", "3");
    }

    @Test
    void a_former_leader_is_refused_once_the_next_has_written() {
        store.pay("1", new Term(5));
        store.pay("2", new Term(7));
        assertThatThrownBy(() -> store.pay("3", new Term(5))).hasMessageContaining("larger token than 5");
        assertThat(payments()).containsExactly("1", "2");
    }

    @Test
    void the_next_leader_waits_for_a_transaction_of_the_former_that_is_under_way() throws InterruptedException {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(database));
        CompletableFuture<Void> former = CompletableFuture.runAsync(() -> outer.executeWithoutResult(transaction -> {
            store.pay("1", new Term(5));
            written.countDown();
            await(goOn);
            store.pay("2", new Term(5));
        }));
        assertThat(written.await(1, TimeUnit.MINUTES)).isTrue();
        CompletableFuture<Void> next = CompletableFuture.runAsync(() -> store.pay("3", new Term(7)));
        goOn.countDown();

        assertThat(former).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(next).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(payments()).containsExactly("1", "2", "3");
        assertThatThrownBy(() -> store.pay("4", new Term(5))).hasMessageContaining("larger token than 5");
    }

    private List<String> payments() {
        return jdbc.queryForList("select invoice from payment order by id", String.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Term(long token) implements Leadership {

        @Override
        public String role() {
            return "invoices";
        }

        @Override
        public Instant since() {
            return Instant.EPOCH;
        }

        @Override
        public boolean isValid() {
            return true; // as a suspended leader believes
        }
    }

    private static final class Store {

        private final JdbcTemplate jdbc;
        private final TransactionTemplate transactions;

        Store(JdbcTemplate jdbc, TransactionTemplate transactions) {
            this.jdbc = jdbc;
            this.transactions = transactions;
        }

        void pay(String invoice, Leadership leadership) {
            transactions.executeWithoutResult(transaction -> {
                int current = jdbc.update(
                        "update leader_token set token = ? where role = ? and token <= ?",
                        leadership.token(),
                        leadership.role(),
                        leadership.token());
                if (current == 0) {
                    throw new IllegalStateException(leadership.role() + " has a leader with a larger token than "
                            + leadership.token() + ", which writes no more");
                }
                jdbc.update("insert into payment (invoice) values (?)", invoice);
            });
        }
    }
}
