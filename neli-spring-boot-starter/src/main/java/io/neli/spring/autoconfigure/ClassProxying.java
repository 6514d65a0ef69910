package io.neli.spring.autoconfigure;

import org.springframework.aop.framework.ProxyConfig;
import org.springframework.core.env.Environment;

/** Boot's choice between proxies that extend a bean's class, its default, and ones that implement its interfaces. */
final class ClassProxying {

    private ClassProxying() {}

    static <T extends ProxyConfig> T of(Environment environment, T proxying) {
        proxying.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return proxying;
    }
}
