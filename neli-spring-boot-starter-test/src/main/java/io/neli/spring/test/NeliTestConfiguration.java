package io.neli.spring.test;

import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import io.neli.spring.autoconfigure.NeliWebAutoConfiguration;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import io.neli.test.FakeNeliBuilder;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Imports the auto-configuration of an election, even in a slice, with the fake in place of any election. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({NeliAutoConfiguration.class, NeliWebAutoConfiguration.class, LeaderOnlyAutoConfiguration.class
})
class NeliTestConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static NeliReplacement neliReplacement() {
        return new NeliReplacement();
    }

    /**
     * Creates the bean that {@link NeliTestContextCustomizer} defines before any condition needs an election.
     *
     * @param roles how many roles the test names, each on its own partition; 0 for those of the application
     */
    static FakeNeli fakeNeli(boolean leader, int roles, Environment environment) {
        FakeNeliBuilder fake = FakeNeli.builder().leading(leader);
        Binder properties = Binder.get(environment);
        PropertyMapper map = PropertyMapper.get(); // ignores null
        map.from(properties.bind("neli.name", String.class).orElse(null))
                .whenHasText()
                .to(fake::name);
        properties.bind("neli.roles", Bindable.listOf(String.class)).ifBound(fake::roles);
        properties
                .bind("neli.partitions", Integer.class) // if it is set, any name is a role
                .ifBound(partitions -> fake.partitions(roles == 0 ? partitions : roles));
        properties.bind("neli.work.interrupt-on-fence", Boolean.class).ifBound(fake::interruptOnFence);
        return fake.build();
    }
}
