package io.neli.spring.test;

import io.neli.Neli;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;

/** Gives the name of each election to the fake, once all definitions are there and before any bean is. */
final class NeliReplacement implements BeanDefinitionRegistryPostProcessor {

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        for (String name : ((ListableBeanFactory) registry).getBeanNamesForType(Neli.class, true, false)) {
            if (!name.equals(NeliTestContextCustomizer.FAKE) && registry.containsBeanDefinition(name)) {
                registry.removeBeanDefinition(name);
                registry.registerAlias(NeliTestContextCustomizer.FAKE, name);
            }
        }
    }
}
