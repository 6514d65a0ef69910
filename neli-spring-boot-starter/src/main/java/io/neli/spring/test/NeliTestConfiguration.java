package io.neli.spring.test;

import java.util.List;

import io.neli.FakeNeli;
import io.neli.FakeNeliBuilder;
import io.neli.spring.autoconfigure.LeaderListenerBeans;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.spring.autoconfigure.NeliProperties;
import io.neli.spring.autoconfigure.lifecycle.StartWhenLeadingAutoConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** What an election has around it, also in a slice; and in place of any election the fake. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({NeliAutoConfiguration.class, StartWhenLeadingAutoConfiguration.class})
class NeliTestConfiguration {

    @Bean("io.neli.spring.test.NeliReplacement")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static NeliReplacement neliReplacement() {
        return new NeliReplacement();
    }

    /** Defined by {@link NeliTestContextCustomizer}, ahead of all conditions that ask for it. */
    static FakeNeli fakeNeli(boolean leader, List<String> roles, Environment environment, ListableBeanFactory beans) {
        FakeNeliBuilder fake = FakeNeli.builder().leading(leader).listener(new LeaderListenerBeans(beans));
        NeliProperties properties = Binder.get(environment).bindOrCreate("neli", NeliProperties.class);
        PropertyMapper map = PropertyMapper.get(); // passes over null
        map.from(properties.name()).whenHasText().to(fake::name);
        map.from(properties.task().interruptOnFence()).to(fake::interruptOnFence);
        if (roles.isEmpty()) {
            map.from(properties.partitions()).to(fake::partitions);
            map.from(properties.roles()).to(fake::roles);
        } else {
            fake.partitions(roles.size()).roles(roles);
        }
        return fake.build();
    }
}
