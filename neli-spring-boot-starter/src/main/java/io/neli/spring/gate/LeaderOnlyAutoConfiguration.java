package io.neli.spring.gate;

import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link LeaderOnly}. A child context checks its own beans, by the
 * election that they see: its own, or else its parent's.
 */
@AutoConfiguration(after = NeliAutoConfiguration.class)
public final class LeaderOnlyAutoConfiguration {

    // Static and with a supplier, so that neither this class nor the election is created before other beans.
    @Bean("io.neli.spring.gate.LeaderOnlyBeanPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment, BeanFactory beans) {
        LeaderOnlyBeanPostProcessor processor =
                new LeaderOnlyBeanPostProcessor(SingletonSupplier.of(() -> beans.getBean(Neli.class)));
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }
}
