package io.neli.nats;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NatsFailureTest {

    @Test
    void a_password_is_hidden_even_if_it_contains_what_separates_parts_of_an_address() {
        assertThat(NatsFailure.shown("[nats://c:p@s/s@one:4222, nats://c:p@two:4222]"))
                .isEqualTo("[nats://...@one:4222, nats://...@two:4222]");
        assertThat(NatsFailure.shown("nats://c:p@one,nats://two")).isEqualTo("nats://...@one,nats://two");
    }
}
