package io.neli.spring.test;

import io.neli.Neli;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;

/** Gives the name of each election to the fake, when all beans are defined and none is created. */
final class NeliReplacement implements BeanDefinitionRegistryPostProcessor {

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        for (String name : ((ListableBeanFactory) registry).getBeanNamesForType(Neli.class, true, false)) {
            if (!name.equals(NeliTestContextCustomizer.FAKE) && registry.containsBeanDefinition(name)) {
                registry.removeBeanDefinition(name);
                registry.registerAlias(NeliTestContextCustomizer.FAKE, name);
            }
        }
        if (!registry.isBeanNameInUse("neli")) { // for expressions
            registry.registerAlias(NeliTestContextCustomizer.FAKE, "neli");
        }
    }
}
