package io.neli.spring.autoconfigure.endpoint;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** {@link EnableAutoConfiguration Auto-configuration} for {@link NeliEndpoint}, where it is exposed. */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(Neli.class)
@ConditionalOnAvailableEndpoint(NeliEndpoint.class)
public final class NeliEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    NeliEndpoint neliEndpoint(Neli neli) {
        return new NeliEndpoint(neli);
    }

    @Bean
    NeliEndpointRequests neliEndpointRequests() {
        return new NeliEndpointRequests();
    }
}
