package io.neli.nats;

import io.neli.internal.shell.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NatsFailureTest {

    @Test
    void a_password_is_hidden_even_if_it_contains_what_separates_parts_of_an_address() {
        assertThat(NatsFailure.shown("[nats://c:p@s/s@one:4222, nats://c:p@two:4222]"))
                .isEqualTo("[nats://...@one:4222, nats://...@two:4222]");
        assertThat(NatsFailure.shown("nats://c:p@one,nats://two")).isEqualTo("nats://...@one,nats://two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization Violation",
                "User Authentication Expired",
                "User Authentication Revoked",
                "Account Authentication Expired"
            })
    void a_refused_login_names_the_properties_to_fix(String why) {
        Problem problem = new NatsFailure("nats://host", "stream").ofRefusal(why);
        assertThat(problem.text())
                .contains("refuse this application, " + why, "neli.nats.credentials", "neli.nats.username")
                .doesNotContain("network");
        assertThat(problem.passing()).isFalse();
    }
}
