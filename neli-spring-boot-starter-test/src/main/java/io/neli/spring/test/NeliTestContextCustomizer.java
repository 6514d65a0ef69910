package io.neli.spring.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Adds the fake and its auto-configuration to a test's context. Tests with equal settings share the cached context. */
record NeliTestContextCustomizer(boolean leader, List<String> roles) implements ContextCustomizer {

    static final String FAKE = "io.neli.test.FakeNeli";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("@NeliTest", properties()));
        if (AotDetector.useGeneratedArtifacts()) {
            return; // the beans were processed ahead of time
        }
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context;
        ApplicationContext parent = context.getParent();
        if (parent == null || !parent.containsBean(FAKE)) { // one for all contexts of a hierarchy
            registry.registerBeanDefinition(FAKE, fake());
        }
        new AnnotatedBeanDefinitionReader(registry)
                .registerBean(NeliTestConfiguration.class, NeliTestConfiguration.class.getName());
    }

    private Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("neli.enabled", true);
        for (int role = 0; role < roles.size(); role++) {
            properties.put("neli.roles[" + role + "]", roles.get(role));
        }
        return properties;
    }

    /** Names a factory method instead of using a lambda, so that it can be processed ahead of time. */
    private BeanDefinition fake() {
        RootBeanDefinition definition = new RootBeanDefinition(NeliTestConfiguration.class);
        definition.setFactoryMethodName("fakeNeli");
        definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
        arguments.addIndexedArgumentValue(0, leader);
        arguments.addIndexedArgumentValue(1, roles.size());
        definition.setFallback(true); // conditions prefer an election of the application, until it is replaced
        definition.setDestroyMethodName(""); // the lifecycle bean closes it
        return definition;
    }
}
