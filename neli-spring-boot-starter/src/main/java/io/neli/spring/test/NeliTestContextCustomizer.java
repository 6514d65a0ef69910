package io.neli.spring.test;

import java.util.List;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Puts the fake into a test's context, with what an election has around it. Contexts of tests that want the same share the
 * cached one.
 */
record NeliTestContextCustomizer(boolean leader, List<String> roles) implements ContextCustomizer {

    static final String FAKE = "io.neli.FakeNeli";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "neli.enabled=true");
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context;
        registry.registerBeanDefinition(FAKE, fake());
        new AnnotatedBeanDefinitionReader(registry)
                .registerBean(NeliTestConfiguration.class, NeliTestConfiguration.class.getName());
    }

    /** Without a lambda, so that it can be processed ahead of time. */
    private BeanDefinition fake() {
        RootBeanDefinition definition = new RootBeanDefinition(NeliTestConfiguration.class);
        definition.setFactoryMethodName("fakeNeli");
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
        arguments.addIndexedArgumentValue(0, leader);
        arguments.addIndexedArgumentValue(1, roles);
        definition.setPrimary(true); // in the eyes of conditions, until it is the only one
        definition.setDestroyMethodName(""); // the life cycle ends it
        return definition;
    }
}
