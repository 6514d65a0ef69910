package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.spring.autoconfigure.NeliProperties.WhenDisabled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Defines a {@link Neli} without an election, so that beans that use it and start-up checks still work. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnFlag.Disabled.class)
class NeliDisabledConfiguration {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    NeliDisabledConfiguration(Environment environment) {
        OnFlag.verifyEnabled(environment, false);
    }

    // Not closed with the context: it would then skip calls that beans make while they are destroyed.
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Neli neli(NeliProperties properties, Environment environment, ObjectProvider<NeliBuilderCustomizer> customizers) {
        NeliBuilder builder = Neli.builder();
        new NeliBuilderConfigurer(properties, environment.getProperty("spring.application.name"))
                .configureDisabled(builder);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        boolean run = properties.whenDisabled() == WhenDisabled.RUN;
        log.info(
                "neli.enabled is 'false': there is no election, and neli.when-disabled is '{}': @LeaderOnly calls and"
                        + " @StartWhenLeading beans {}",
                run ? "run" : "skip",
                run ? "run, as on a leader" : "do nothing, as on a standby");
        return builder.startDisabled(run);
    }
}
