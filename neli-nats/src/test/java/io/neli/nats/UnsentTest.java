package io.neli.nats;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.nats.client.impl.NatsMessage;
import io.neli.internal.election.MonotonicTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnsentTest {

    private static final Duration KEPT = Duration.ofSeconds(1);

    private final MonotonicTime now = new MonotonicTime(0);
    private final Unsent unsent = new Unsent(KEPT);

    private Unsent.Attempt attempt(String subject, MonotonicTime since) {
        return new Unsent.Attempt(
                NatsMessage.builder().subject(subject).data(new byte[0]).build(), since, 1);
    }

    @Test
    void what_nobody_has_taken_is_sent_again_after_a_pause_in_the_same_order() {
        List<Unsent.Attempt> attempts = List.of(attempt("one", now), attempt("other", now));
        attempts.forEach(each -> unsent.add(each, now));
        assertThat(unsent.take(now)).isEmpty();
        assertThat(unsent.take(unsent.dueAt())).isEqualTo(attempts);
        assertThat(unsent.dueAt()).isEqualTo(MonotonicTime.NEVER);
    }

    @Test
    void of_each_subject_the_latest_is_sent_again() {
        Unsent.Attempt latest = attempt("one", now.plus(Duration.ofMillis(2)));
        unsent.add(attempt("one", now), now);
        unsent.add(latest, now);
        unsent.add(attempt("one", now.plus(Duration.ofMillis(1))), now);
        assertThat(unsent.take(unsent.dueAt())).containsExactly(latest);
    }

    @Test
    void what_is_older_than_a_message_that_was_taken_is_not_sent_any_more() {
        unsent.add(attempt("one", now), now);
        unsent.written(attempt("one", now.plus(Duration.ofMillis(1))));
        assertThat(unsent.take(unsent.dueAt())).isEmpty();
    }

    @Test
    void the_pause_grows_until_something_is_taken() {
        assertThat(Stream.generate(this::pause).limit(4)).containsExactly(50L, 100L, 125L, 125L);
        unsent.written(attempt("one", now));
        assertThat(pause()).isEqualTo(50);
    }

    private long pause() {
        unsent.add(attempt("one", now), now);
        long pause = now.until(unsent.dueAt()).toMillis();
        unsent.take(unsent.dueAt());
        return pause;
    }

    @Test
    void what_is_too_old_to_matter_is_dropped() {
        unsent.add(attempt("one", now), now.plus(KEPT));
        assertThat(unsent.take(unsent.dueAt())).isEmpty();
    }
}
