package io.neli.sample.instance.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.sample.instance.LedgerEntry;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.instance.report.Report.Write;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class WriteReportsTest {

    private static final LedgerEntry ENTRY = new LedgerEntry("alice", 17, 42);

    private final List<Report> reports = new ArrayList<>();

    @Test
    void a_write_that_returns_is_committed() {
        ledger(entry -> {}).accept(ENTRY);

        assertThat(reports).containsExactly(new Write(Outcome.COMMITTED, 17, 42, null));
    }

    @ParameterizedTest
    @MethodSource
    void only_a_fence_of_the_broker_is_a_refusal(RuntimeException failure, Outcome outcome, String reason) {
        Consumer<LedgerEntry> ledger = ledger(entry -> {
            throw failure;
        });

        assertThatThrownBy(() -> ledger.accept(ENTRY)).isSameAs(failure);

        assertThat(reports).containsExactly(new Write(outcome, 17, 42, reason));
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
        proxies.addAdvice(new WriteReports(reports::add));
        @SuppressWarnings("unchecked")
        Consumer<LedgerEntry> proxy = (Consumer<LedgerEntry>) proxies.getProxy();
        return proxy;
    }
}
