package io.neli.spring.autoconfigure.endpoint;

import java.util.List;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** {@link EnableAutoConfiguration Auto-configuration} for {@link NeliEndpoint}, where it is exposed. */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(Neli.class)
@ConditionalOnAvailableEndpoint(NeliEndpoint.class)
public final class NeliEndpointAutoConfiguration {

    @Bean("io.neli.spring.autoconfigure.endpoint.NeliEndpoint")
    NeliEndpoint neliEndpoint(Neli neli, Environment environment) {
        BindResult<String[]> roles = Binder.get(environment).bind("neli.roles", String[].class);
        return new NeliEndpoint(neli, roles.isBound() ? List.of(roles.get()) : List.of());
    }
}
