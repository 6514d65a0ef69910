package io.neli.sample.instance.report;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.FakeNeli;
import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import io.neli.protocol.FenceReason;
import io.neli.protocol.RevokeReason;
import io.neli.sample.instance.report.Report.Event;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.spring.autoconfigure.LeaderListenerBeans;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;

class LeadershipReportsTest {

    private final List<Object> received = new CopyOnWriteArrayList<>();

    @Test
    void the_role_with_a_job_is_reported_before_any_other_listener_prepares_or_cleans_up() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("template", new First());
        beans.registerSingleton("reports", new LeadershipReports(received::add));
        try (FakeNeli neli = FakeNeli.builder()
                .partitions(1)
                .roles("ledger", "mail")
                .listener(new LeaderListenerBeans(beans))
                .start()) {
            neli.acquire();
            long first = token(neli);
            neli.revoke("ledger", RevokeReason.RESIGNED);
            neli.acquire();
            long second = token(neli);
            neli.fence("ledger", FenceReason.SUPERSEDED);

            assertThat(received)
                    .containsExactly(
                            new Event(Kind.ACQUIRED, first, null),
                            "ledger",
                            "mail",
                            new Event(Kind.REVOKED, first, "RESIGNED"),
                            "ledger",
                            "mail",
                            new Event(Kind.ACQUIRED, second, null),
                            "ledger",
                            "mail",
                            new Event(Kind.FENCED, second, "SUPERSEDED"),
                            "ledger",
                            "mail");
        }
    }

    private static long token(FakeNeli neli) {
        return neli.leadership("ledger").orElseThrow().token();
    }

    /** Ordered like the template that writes the ledger. */
    private final class First implements LeaderListener, Ordered {

        @Override
        public void onEvent(LeaderEvent event) {
            received.add(event.role());
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }
}
