package io.neli.spring.test;

import io.neli.Neli;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;

/** Replaces each election by the fake under the same name, when all beans are defined and none is created. */
final class NeliReplacement implements BeanDefinitionRegistryPostProcessor {

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        for (String name : ((ListableBeanFactory) registry).getBeanNamesForType(Neli.class, true, false)) {
            if (!name.equals(NeliTestContextCustomizer.FAKE) && registry.containsBeanDefinition(name)) {
                registry.removeBeanDefinition(name);
                registry.registerAlias(NeliTestContextCustomizer.FAKE, name);
            }
        }
        if (!registry.isBeanNameInUse("neli")) { // for expressions that name the bean
            registry.registerAlias(NeliTestContextCustomizer.FAKE, "neli");
        }
    }
}
