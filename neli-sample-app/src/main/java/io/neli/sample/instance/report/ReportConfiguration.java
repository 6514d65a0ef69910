package io.neli.sample.instance.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;

import io.neli.Neli;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Reports and commands, where the lab has started this instance. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lab.reports")
class ReportConfiguration {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    @Bean(initMethod = "start", destroyMethod = "close")
    ReportWriter reportWriter(Neli neli, JsonMapper json) {
        return new ReportWriter(
                new FileOutputStream(FileDescriptor.out), json, () -> Report.Snapshot.of(neli.snapshot()), INTERVAL);
    }

    @Bean(initMethod = "start")
    Commands commands(Neli neli) {
        return new Commands(System.in, neli, () -> System.exit(0));
    }

    @Bean
    LeadershipReports leadershipReports(ReportWriter writer) {
        return new LeadershipReports(writer::report);
    }

    @Bean
    WriteReports writeReports(ReportWriter writer) {
        return new WriteReports(writer::report);
    }

    /** Around the ledger, so that it need not know of reports. */
    @Bean
    static BeanNameAutoProxyCreator ledgerReporting() {
        BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
        proxies.setBeanNames("ledger");
        proxies.setInterceptorNames("writeReports");
        proxies.setProxyTargetClass(true);
        return proxies;
    }
}
