package io.neli.sample.instance.report;

import java.util.function.Consumer;

import io.neli.sample.instance.LedgerEntry;
import io.neli.sample.instance.report.Report.Outcome;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/** Reports the outcome of each entry that is appended to the ledger. */
final class WriteReports implements MethodInterceptor {

    private final Consumer<Report> reports;

    WriteReports(Consumer<Report> reports) {
        this.reports = reports;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!(invocation.getArguments()[0] instanceof LedgerEntry entry)) {
            return invocation.proceed();
        }
        try {
            Object result = invocation.proceed();
            report(Outcome.COMMITTED, entry, null);
            return result;
        } catch (RuntimeException e) {
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(e);
            report(isRefusal(e) ? Outcome.REFUSED : Outcome.FAILED, entry, cause.toString());
            throw e;
        }
    }

    private void report(Outcome outcome, LedgerEntry entry, @Nullable String reason) {
        reports.accept(new Report.Write(outcome, entry.token(), entry.number(), reason));
    }

    private static boolean isRefusal(@Nullable Throwable failure) {
        return failure instanceof ProducerFencedException
                || failure instanceof InvalidProducerEpochException
                || (failure != null && isRefusal(failure.getCause()));
    }
}
