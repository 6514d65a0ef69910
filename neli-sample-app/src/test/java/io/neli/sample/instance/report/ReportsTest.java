package io.neli.sample.instance.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.Leadership;
import io.neli.NeliSnapshot;
import io.neli.sample.instance.LedgerEntry;
import io.neli.sample.instance.report.Report.Event;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.instance.report.Report.Run;
import io.neli.sample.instance.report.Report.Waiting;
import io.neli.sample.instance.report.Report.Write;
import io.neli.spring.ScheduledRun;
import io.neli.test.FakeNeli;
import io.neli.test.FakeNeliBuilder;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ReportsTest {

    private static final LedgerEntry ENTRY = new LedgerEntry("alice", 17, 42);

    private final FakeNeli neli = FakeNeli.builder().roles("ledger").start();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Reports reports =
            new Reports(new PrintStream(out, true, StandardCharsets.UTF_8), new JsonMapper(), neli);

    @AfterEach
    void close() {
        neli.close();
    }

    @Test
    void each_report_is_one_line_of_json_that_can_be_read_back() {
        reports.report(new Event(Kind.REVOKED, 17, "CLOSING"));
        reports.report(new Write(Outcome.COMMITTED, 17, 42, null));
        reports.reportSnapshot();

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .startsWith(
                        "{\"type\":\"event\",\"event\":\"REVOKED\",\"token\":17,\"reason\":\"CLOSING\"}",
                        "{\"type\":\"write\",\"outcome\":\"COMMITTED\",\"token\":17,\"number\":42,\"reason\":null}")
                .hasSize(3);
        assertThat(reported().get(2))
                .isInstanceOfSatisfying(Report.Snapshot.class, snapshot -> assertThat(snapshot.state())
                        .isEqualTo(NeliSnapshot.Partition.State.STANDBY));
    }

    @Test
    void the_logs_are_those_of_the_role_with_a_job() {
        try (FakeNeli two = FakeNeli.builder()
                .name("alice")
                .partitions(2)
                .roles("mail", "ledger")
                .build()) {
            assertThat(logs(two)).containsExactly(new NeliSnapshot.Log("alice.neli", false, false, Optional.empty()));

            two.start();
            two.acquire("mail");
            assertThat(logs(two))
                    .containsExactly(new NeliSnapshot.Log("alice.neli", true, false, Optional.of(FakeNeli.OTHER)));

            two.acquire("ledger");
            assertThat(logs(two)).containsExactly(new NeliSnapshot.Log("alice.neli", true, true, Optional.of("alice")));
        }
    }

    private static List<NeliSnapshot.Log> logs(FakeNeli neli) {
        return Report.Snapshot.of(neli.snapshot()).logs();
    }

    @Test
    void only_the_role_with_a_job_is_reported_before_any_other_listener_prepares_or_cleans_up() {
        List<Integer> sizes = new ArrayList<>();
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton(
                "template", new OtherListener(() -> sizes.add(reported().size())));
        beans.registerSingleton("reports", reports);
        FakeNeliBuilder builder = FakeNeli.builder().partitions(1).roles("ledger", "mail");
        beans.getBeanProvider(LeaderListener.class).orderedStream().forEach(builder::listener);
        try (FakeNeli two = builder.start()) {
            two.acquire();
            long first = two.leadership("ledger").orElseThrow().token();
            two.revoke("ledger", RevokeReason.RESIGNED);
            two.acquire();
            long second = two.leadership("ledger").orElseThrow().token();
            two.fence("ledger", FenceReason.SUPERSEDED);

            assertThat(reported())
                    .containsExactly(
                            new Event(Kind.ACQUIRED, first, null),
                            new Event(Kind.REVOKED, first, "RESIGNED"),
                            new Event(Kind.ACQUIRED, second, null),
                            new Event(Kind.FENCED, second, "SUPERSEDED"));
            assertThat(sizes).containsExactly(1, 1, 2, 2, 3, 3, 4, 4);
        }
    }

    @Test
    void a_write_that_returns_is_committed() {
        ledger(entry -> {}).accept(ENTRY);

        assertThat(reported()).containsExactly(new Write(Outcome.COMMITTED, 17, 42, null));
    }

    @Test
    void a_run_of_the_job_is_reported_when_it_begins_and_when_it_has_ended() {
        neli.acquire();
        Leadership term = neli.leadership("ledger").orElseThrow();
        Run begun = new Run(false, term.token(), 5000);
        ProxyFactory proxies = new ProxyFactory(
                (Consumer<ScheduledRun>) run -> assertThat(reported()).containsExactly(begun));
        proxies.addAdvice(reports);
        @SuppressWarnings("unchecked")
        Consumer<ScheduledRun> ledger = (Consumer<ScheduledRun>) proxies.getProxy();

        ledger.accept(new ScheduledRun(Instant.ofEpochMilli(5000), true, term));

        assertThat(reported()).containsExactly(begun, new Run(true, term.token(), 5000));
    }

    @Test
    void a_leader_that_waits_for_the_job_reports_which_end_is_recorded() {
        Instant due = Instant.parse("2031-03-01T02:00:00Z");
        neli.schedule(new Job(
                "balance",
                "ledger",
                new Job.FixedRate(Duration.ofDays(1), Duration.ZERO),
                Guarantee.AT_LEAST_ONCE,
                task -> new Thread(task).start(),
                run -> assertThat(Waiting.of(neli.snapshot(), 42)).isEmpty()));
        assertThat(Waiting.of(neli.snapshot(), 42)).isEmpty();

        neli.acquire();
        neli.dueAt(due);

        long token = neli.leadership("ledger").orElseThrow().token();
        assertThat(Waiting.of(neli.snapshot(), 42)).hasValueSatisfying(waiting -> {
            assertThat(waiting.token()).isEqualTo(token);
            assertThat(waiting.time()).isEqualTo(42);
            assertThat(waiting.recorded()).isLessThanOrEqualTo(due.toEpochMilli());
        });
        long next = neli.snapshot().jobs().get(0).nextDue().orElseThrow().toEpochMilli();
        assertThat(Waiting.of(neli.snapshot(), next - 1)).isPresent();
        assertThat(Waiting.of(neli.snapshot(), next)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void only_a_fence_of_the_broker_is_a_refusal(RuntimeException failure, Outcome outcome, String reason) {
        Consumer<LedgerEntry> ledger = ledger(entry -> {
            throw failure;
        });

        assertThatThrownBy(() -> ledger.accept(ENTRY)).isSameAs(failure);

        assertThat(reported()).containsExactly(new Write(outcome, 17, 42, reason));
    }

    static Stream<Arguments> only_a_fence_of_the_broker_is_a_refusal() {
        ProducerFencedException fenced = new ProducerFencedException("another leads");
        InvalidProducerEpochException stale = new InvalidProducerEpochException("an old epoch");
        TimeoutException late = new TimeoutException("no answer");
        return Stream.of(
                arguments(fenced, Outcome.REFUSED, fenced.toString()),
                arguments(new KafkaException("in an error state", stale), Outcome.REFUSED, stale.toString()),
                arguments(late, Outcome.FAILED, late.toString()),
                arguments(new IllegalStateException("bug"), Outcome.FAILED, "java.lang.IllegalStateException: bug"));
    }

    private Consumer<LedgerEntry> ledger(Consumer<LedgerEntry> target) {
        ProxyFactory proxies = new ProxyFactory(target);
        proxies.addAdvice(reports);
        @SuppressWarnings("unchecked")
        Consumer<LedgerEntry> proxy = (Consumer<LedgerEntry>) proxies.getProxy();
        return proxy;
    }

    private List<Report> reported() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> new JsonMapper().readValue(line, Report.class))
                .toList();
    }

    /** Has the same order as the template that writes the ledger. */
    private record OtherListener(Runnable action) implements LeaderListener, Ordered {

        @Override
        public void onEvent(LeaderEvent event) {
            action.run();
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }
}
