package io.neli.spring.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

import io.neli.Neli;
import io.neli.spring.test.NeliTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

/** The endpoint behind Spring Security, as docs/actuator.md describes it. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoints.web.exposure.include=neli",
            "management.endpoint.neli.access=unrestricted",
        })
@NeliTest
class SecuredEndpointTest {

    private static final String PAGE = "docs/actuator.md";
    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "neli", "spring", "docs", "SecuredEndpointTest.java");

    @Autowired
    private Neli neli;

    @Value("${local.server.port}")
    private int port;

    @Test
    void the_page_shows_what_is_tested_here() throws IOException {
        assertThat(Files.readString(SOURCE).replaceAll("(?m)^ +", ""))
                .contains(CodeBlock.codeOn(PAGE, "java").get(0).replaceAll("(?m)^ +", ""));
    }

    @Test
    void with_a_password_it_makes_the_leader_resign() throws Exception {
        assertThat(post("neli/resign", "admin:secret")).isEqualTo(204);
        assertThat(neli.isLeader()).isFalse();
    }

    @Test
    void without_one_it_changes_nothing() throws Exception {
        assertThat(post("neli/resign", "admin:guessed")).isEqualTo(401);
        assertThat(neli.isLeader()).isTrue();
    }

    @Test
    void other_requests_need_a_token_as_ever() throws Exception {
        assertThat(post("other", "admin:secret")).isEqualTo(403);
    }

    private int post(String path, String login) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                .timeout(Duration.ofMinutes(1))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes()))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSecurity
    static class Application {

        @Bean
        SecurityFilterChain security(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/actuator/neli/**"))
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(User.withUsername("admin")
                    .password("{noop}secret")
                    .roles("OPERATOR")
                    .build());
        }
    }
}
