package io.neli.spring.autoconfigure.endpoint;

import java.util.stream.Stream;

import io.neli.Neli;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.WebEndpointHttpMethod;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

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
    void unless_access_is_granted_it_only_shows() {
        WebApplicationContextRunner web = new WebApplicationContextRunner()
                .withBean(Neli.class, () -> mock(Neli.class))
                .withConfiguration(AutoConfigurations.of(
                        EndpointAutoConfiguration.class,
                        WebEndpointAutoConfiguration.class,
                        NeliEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=neli");

        web.run(context -> assertThat(methods(context)).containsOnly(WebEndpointHttpMethod.GET));
        web.withPropertyValues("management.endpoint.neli.access=UNRESTRICTED")
                .run(context ->
                        assertThat(methods(context)).contains(WebEndpointHttpMethod.GET, WebEndpointHttpMethod.POST));
    }

    @Test
    void it_backs_off_for_an_endpoint_of_the_application() {
        exposed.withBean("mine", NeliEndpoint.class)
                .run(context ->
                        assertThat(context).getBeanNames(NeliEndpoint.class).containsExactly("mine"));
    }

    private static Stream<WebEndpointHttpMethod> methods(ApplicationContext context) {
        return context.getBean(WebEndpointsSupplier.class).getEndpoints().stream()
                .flatMap(endpoint -> endpoint.getOperations().stream())
                .map(operation -> operation.getRequestPredicate().getHttpMethod());
    }

    @Test
    void it_backs_off_when_access_is_denied() {
        exposed.withPropertyValues("management.endpoint.neli.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(NeliEndpoint.class));
    }
}
