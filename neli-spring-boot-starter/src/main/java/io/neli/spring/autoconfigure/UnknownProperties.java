package io.neli.spring.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Warns about {@code neli} properties that do not exist, such as misspelt ones, which Spring Boot ignores silently. The
 * application starts nevertheless, because an older release may meet the settings of a newer one. Environment variables
 * and system properties are not checked.
 */
final class UnknownProperties {

    private static final Logger log = LoggerFactory.getLogger(UnknownProperties.class);

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("neli");

    /** Read elsewhere, and not part of {@link NeliProperties}. */
    private static final ConfigurationPropertyName SKIP_OBSERVATIONS =
            ConfigurationPropertyName.of("neli.scheduling.skip-observations");

    private UnknownProperties() {}

    static void warn(Environment environment) {
        for (ConfigurationProperty each : in(environment)) {
            log.warn(
                    "{} is set in {}, but there is no such property, so it has no effect; correct or remove it",
                    each.getName(),
                    each.getOrigin() == null ? "an unknown place" : each.getOrigin());
        }
    }

    private static List<ConfigurationProperty> in(Environment environment) {
        Attempts attempts = new Attempts();
        try {
            Binder.get(environment).bind(PREFIX, Bindable.of(NeliProperties.class), attempts);
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                return unbound.getUnboundProperties().stream()
                        .filter(each -> !each.getName().equals(SKIP_OBSERVATIONS)
                                && !each.getName().isAncestorOf(SKIP_OBSERVATIONS))
                        .filter(each -> !attempts.names.contains(each.getName()))
                        .toList();
            }
        }
        return List.of();
    }

    /** Remembers which properties exist: one with an empty value, which means not set, does not count as bound. */
    private static final class Attempts extends NoUnboundElementsBindHandler {

        private final Set<ConfigurationPropertyName> names = new HashSet<>();

        Attempts() {
            super(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        }

        @Override
        public <T> @Nullable Bindable<T> onStart(
                ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
            names.add(name);
            return super.onStart(name, target, context);
        }
    }
}
