package io.neli.nats;

import java.time.Duration;
import java.util.List;

import io.nats.client.impl.NatsMessage;
import io.neli.internal.election.MonotonicTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnsentTest {

    private static final Duration KEPT = Duration.ofSeconds(1);

    private final MonotonicTime now = new MonotonicTime(0);
    private final Unsent unsent = new Unsent(KEPT);

    private Unsent.Attempt attempt() {
        return new Unsent.Attempt(
                NatsMessage.builder().subject("subject").data(new byte[0]).build(), now, 1);
    }

    @Test
    void what_nobody_has_taken_is_sent_again_after_a_pause_in_the_same_order() {
        List<Unsent.Attempt> attempts = List.of(attempt(), attempt());
        attempts.forEach(each -> unsent.add(each, now));
        assertThat(unsent.take(now)).isEmpty();
        assertThat(unsent.take(unsent.dueAt())).isEqualTo(attempts);
        assertThat(unsent.dueAt()).isEqualTo(MonotonicTime.NEVER);
    }

    @Test
    void what_is_too_old_to_matter_is_dropped() {
        unsent.add(attempt(), now.plus(KEPT));
        assertThat(unsent.take(unsent.dueAt())).isEmpty();
    }
}
