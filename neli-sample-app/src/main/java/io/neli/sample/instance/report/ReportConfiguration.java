package io.neli.sample.instance.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;

import io.neli.Neli;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Reports and commands, in an instance that the lab has started. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lab.reports")
class ReportConfiguration {

    @Bean
    ReportWriter reportWriter(Neli neli, JsonMapper json) {
        return new ReportWriter(new FileOutputStream(FileDescriptor.out), json, neli);
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

    /** Wraps the ledger, so that the example itself does not depend on reports. */
    @Bean
    static BeanNameAutoProxyCreator ledgerReporting() {
        BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
        proxies.setBeanNames("ledger");
        proxies.setInterceptorNames("writeReports");
        proxies.setProxyTargetClass(true);
        return proxies;
    }
}
