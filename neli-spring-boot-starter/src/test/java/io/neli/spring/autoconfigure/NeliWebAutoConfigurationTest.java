package io.neli.spring.autoconfigure;

import java.util.Map;
import java.util.Optional;

import io.neli.Leader;
import io.neli.NotLeaderException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;

class NeliWebAutoConfigurationTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NeliWebAutoConfiguration.class))
            .withUserConfiguration(Controller.class);

    @Test
    void a_request_that_only_the_leader_handles_is_refused_and_names_the_leader() {
        runner.run(context -> assertThat(MockMvcTester.from(context).get().uri("/settle"))
                .hasStatus(503)
                .hasHeader("Retry-After", "1")
                .hasHeader("Neli-Leader", "http://bob:8080"));
    }

    @Test
    void a_member_that_hands_over_does_not_name_itself() {
        runner.run(context -> assertThat(
                        MockMvcTester.from(context).get().uri("/settle").param("self", "true"))
                .hasStatus(503)
                .doesNotContainHeader("Neli-Leader"));
    }

    @Test
    void a_handler_of_the_application_comes_first() {
        runner.withUserConfiguration(Teapot.class)
                .run(context -> assertThat(MockMvcTester.from(context).get().uri("/settle"))
                        .hasStatus(418));
    }

    @Test
    void a_bean_with_its_name_replaces_it() {
        runner.run(context -> assertThat(context).hasSingleBean(NotLeaderAdvice.class));
        runner.withBean("neliNotLeaderAdvice", Teapot.class)
                .run(context -> assertThat(context).doesNotHaveBean(NotLeaderAdvice.class));
    }

    @Test
    void without_a_web_application_there_is_none() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(NeliWebAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(NotLeaderAdvice.class));
    }

    @EnableWebMvc
    @RestController
    static class Controller {

        @GetMapping("/settle")
        void settle(@RequestParam(defaultValue = "false") boolean self) {
            throw new NotLeaderException(
                    "invoices", Optional.of(new Leader("invoices", "bob", 7, self, Map.of("url", "http://bob:8080"))));
        }
    }

    @RestControllerAdvice
    static class Teapot {

        @ExceptionHandler
        ResponseEntity<Void> refuse(RuntimeException any) {
            return ResponseEntity.status(418).build();
        }
    }
}
