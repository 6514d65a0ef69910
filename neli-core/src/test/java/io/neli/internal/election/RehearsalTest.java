package io.neli.internal.election;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalTest {

    @Test
    void leadership_is_acquired_and_handed_over_again_and_again() {
        List<String> announced = Rehearsal.run();

        assertThat(announced).hasSize(20);
        for (int event = 0; event < announced.size(); event += 2) {
            assertThat(announced.get(event)).startsWith("LeaderAcquired");
            assertThat(announced.get(event + 1)).startsWith("LeaderRevoked");
        }
    }
}
