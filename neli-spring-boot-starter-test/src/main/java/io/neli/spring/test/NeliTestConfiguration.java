package io.neli.spring.test;

import io.neli.spring.autoconfigure.LeaderListenerBeans;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.spring.autoconfigure.NeliProperties;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.spring.lifecycle.StartWhenLeadingAutoConfiguration;
import io.neli.test.FakeNeli;
import io.neli.test.FakeNeliBuilder;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The auto-configuration of an election, also in a slice, with the fake in place of any election. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    NeliAutoConfiguration.class,
    LeaderOnlyAutoConfiguration.class,
    StartWhenLeadingAutoConfiguration.class
})
class NeliTestConfiguration {

    @Bean("io.neli.spring.test.NeliReplacement")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static NeliReplacement neliReplacement() {
        return new NeliReplacement();
    }

    /** Defined by {@link NeliTestContextCustomizer}, before any condition that asks for an election. */
    static FakeNeli fakeNeli(boolean leader, Environment environment, ListableBeanFactory beans) {
        FakeNeliBuilder fake = FakeNeli.builder().leading(leader).listener(new LeaderListenerBeans(beans));
        NeliProperties properties = Binder.get(environment).bindOrCreate("neli", NeliProperties.class);
        PropertyMapper map = PropertyMapper.get(); // ignores null
        map.from(properties.name()).whenHasText().to(fake::name);
        map.from(properties.roles()).to(fake::roles);
        map.from(properties.partitions()).to(fake::partitions);
        map.from(properties.work().interruptOnFence()).to(fake::interruptOnFence);
        return fake.build();
    }
}
