package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalTest {

    @Test
    void leadership_is_acquired_and_revoked_again_and_again() {
        String acquired = OnePartition.acquired(100).toString();

        assertThat(Rehearsal.run()).isGreaterThan(15L * acquired.length());
    }
}
