package io.neli.spring.gate;

import io.neli.spring.StartWhenLeading;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;

/** Excludes what leadership starts or runs from lazy initialization: nothing else would create these beans. */
record StartedBeans(ConfigurableListableBeanFactory beans) implements LazyInitializationExcludeFilter {

    @Override
    public boolean isExcluded(String name, BeanDefinition definition, Class<?> type) {
        return ScheduledJobs.isIn(type)
                || StartWhenLeadingBeanPostProcessor.isOnListener(type)
                || beans.findAnnotationOnBean(name, StartWhenLeading.class, false) != null;
    }
}
