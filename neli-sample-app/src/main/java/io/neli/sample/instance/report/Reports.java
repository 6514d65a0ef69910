package io.neli.sample.instance.report;

import java.io.PrintStream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.sample.instance.LedgerEntry;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.spring.ScheduledRun;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.Scheduled;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports the state of the election several times a second, each leadership event, the outcome of each entry appended
 * to the ledger, and each run of the scheduled job. It is notified before all other listeners, even the ledger's
 * template, which then prepares its transactions: so the lab measures the election alone.
 */
class Reports implements LeaderListener, PriorityOrdered, MethodInterceptor {

    private final PrintStream out;
    private final JsonMapper json;
    private final Neli neli;

    /** Reports to {@code out}, one line of JSON each. */
    Reports(PrintStream out, JsonMapper json, Neli neli) {
        this.out = out;
        this.json = json;
        this.neli = neli;
    }

    @Scheduled(fixedDelay = 100)
    void reportSnapshot() {
        NeliSnapshot snapshot = neli.snapshot();
        report(Report.Snapshot.of(snapshot));
        // Take the time after the snapshot, so that everything due before it has been decided.
        Report.Waiting.of(snapshot, System.currentTimeMillis()).ifPresent(this::report);
    }

    @Override
    public void onEvent(LeaderEvent event) {
        if (!event.role().equals(Report.ROLE)) {
            return;
        }
        if (event instanceof LeaderRevoked revoked) {
            report(new Report.Event(
                    Kind.REVOKED, event.token(), revoked.reason().name()));
        } else if (event instanceof LeaderFenced fenced) {
            report(new Report.Event(Kind.FENCED, event.token(), fenced.reason().name()));
        } else {
            report(new Report.Event(Kind.ACQUIRED, event.token(), null));
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object argument = call.getArguments()[0];
        if (argument instanceof LedgerEntry entry) {
            return append(entry, call);
        }
        return argument instanceof ScheduledRun run ? run(run, call) : call.proceed();
    }

    /** Reports the end of a run before it is recorded. */
    private @Nullable Object run(ScheduledRun run, MethodInvocation call) throws Throwable {
        long token = run.leadership().token();
        long due = run.dueAt().toEpochMilli();
        report(new Report.Run(false, token, due));
        Object result = call.proceed();
        report(new Report.Run(true, token, due));
        return result;
    }

    private @Nullable Object append(LedgerEntry entry, MethodInvocation append) throws Throwable {
        try {
            Object result = append.proceed();
            report(new Report.Write(Outcome.COMMITTED, entry.token(), entry.number(), null));
            return result;
        } catch (RuntimeException e) {
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
            boolean isRefusal =
                    cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException;
            Outcome outcome = isRefusal ? Outcome.REFUSED : Outcome.FAILED;
            report(new Report.Write(outcome, entry.token(), entry.number(), cause.toString()));
            throw e;
        }
    }

    /** Does nothing if the lab has ended: this instance ends too, when its standard input ends. */
    void report(Report report) {
        out.println(json.writeValueAsString(report));
    }
}
