package io.neli.sample.instance.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.neli.Neli;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Adds reports and commands to an instance that the lab has started. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("lab.reports")
class ReportConfiguration {

    @Bean
    Reports reports(Neli neli, JsonMapper json) {
        return new Reports(
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8), json, neli);
    }

    @Bean(initMethod = "start")
    Commands commands(Neli neli) {
        return new Commands(System.in, neli, () -> System.exit(0));
    }

    /** Wraps the ledger to report its entries, so that the example itself does not depend on reports. */
    @Bean
    static BeanNameAutoProxyCreator ledgerReporting() {
        BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
        proxies.setBeanNames("ledger");
        proxies.setInterceptorNames("reports");
        proxies.setProxyTargetClass(true);
        return proxies;
    }
}
