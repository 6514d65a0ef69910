package io.neli.internal.shell;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTest {

    @Test
    void waits_grow_up_to_the_longest_and_begin_anew_after_a_client_that_has_lasted() {
        Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofMillis(300));
        for (long millis : new long[] {50, 100, 200, 300, 300}) {
            assertThat(backoff.next()).hasMillis(millis);
        }
        backoff.reset();
        assertThat(backoff.next()).hasMillis(50);
        assertThat(backoff.next()).hasMillis(100);
    }
}
