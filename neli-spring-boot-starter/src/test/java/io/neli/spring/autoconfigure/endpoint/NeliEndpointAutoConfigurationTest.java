package io.neli.spring.autoconfigure.endpoint;

import io.neli.Neli;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class NeliEndpointAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withBean(Neli.class, () -> mock(Neli.class))
            .withConfiguration(AutoConfigurations.of(NeliEndpointAutoConfiguration.class));
    private final ApplicationContextRunner exposed =
            runner.withPropertyValues("management.endpoints.web.exposure.include=neli");

    @Test
    void it_is_there_only_where_it_is_exposed() {
        exposed.run(context -> assertThat(context).hasSingleBean(NeliEndpoint.class));
        runner.run(context -> assertThat(context).doesNotHaveBean(NeliEndpoint.class));
    }

    @Test
    void it_backs_off_when_access_is_denied() {
        exposed.withPropertyValues("management.endpoint.neli.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(NeliEndpoint.class));
    }
}
