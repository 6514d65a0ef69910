package io.neli.internal.shell;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemTest {

    @Test
    void messages_come_from_all_causes_even_if_these_form_a_circle() {
        Exception outer = new IllegalStateException("handshake failed");
        outer.initCause(new IOException((String) null).initCause(outer));
        assertThat(Problem.messages(outer)).isEqualTo("handshake failed, IOException");
    }
}
