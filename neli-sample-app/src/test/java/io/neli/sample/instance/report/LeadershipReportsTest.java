package io.neli.sample.instance.report;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.FakeNeli;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.sample.instance.report.Report.Event;
import io.neli.spring.autoconfigure.LeaderListenerBeans;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;

class LeadershipReportsTest {

    private final List<Object> heard = new CopyOnWriteArrayList<>();

    @Test
    void each_role_is_told_of_before_any_other_listener_prepares_or_wraps_up() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("template", new First());
        beans.registerSingleton("reports", new LeadershipReports(heard::add));
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

            assertThat(heard)
                    .containsExactly(
                            new Event("ACQUIRED", "ledger", first, null),
                            "ledger",
                            new Event("ACQUIRED", "mail", first, null),
                            "mail",
                            new Event("REVOKED", "ledger", first, "RESIGNED"),
                            "ledger",
                            new Event("REVOKED", "mail", first, "RESIGNED"),
                            "mail",
                            new Event("ACQUIRED", "ledger", second, null),
                            "ledger",
                            new Event("ACQUIRED", "mail", second, null),
                            "mail",
                            new Event("FENCED", "ledger", second, "SUPERSEDED"),
                            "ledger",
                            new Event("FENCED", "mail", second, "SUPERSEDED"),
                            "mail");
        }
    }

    private static long token(FakeNeli neli) {
        return neli.leadership("ledger").orElseThrow().token();
    }

    /** As the template that writes the ledger is ordered. */
    private final class First implements LeaderListener, Ordered {

        @Override
        public void onEvent(LeaderEvent event) {
            heard.add(event.role());
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }
}
