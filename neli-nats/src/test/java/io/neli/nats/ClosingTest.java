package io.neli.nats;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

/** A close that blocks does not block anything else. */
class ClosingTest {

    private final Closing closing = new Closing("neli-member-close");
    private final CountDownLatch frozen = new CountDownLatch(1);
    private final AtomicReference<String> ended = new AtomicReference<>();

    private void close() {
        try {
            frozen.await();
            ended.set(Thread.currentThread().getName());
        } catch (InterruptedException e) {
            ended.set("interrupted");
        }
    }

    @Test
    void it_is_not_waited_for_until_the_member_closes() {
        closing.start(this::close);
        assertThat(ended).hasValue(null);

        frozen.countDown();
        closing.join(PATIENCE);

        assertThat(ended).hasValue("neli-member-close");
    }

    @Test
    void the_member_waits_with_a_limit_and_then_interrupts_it() {
        closing.start(this::close);

        closing.join(Duration.ofMillis(1));
        closing.join(PATIENCE);

        assertThat(ended).hasValue("interrupted");
    }
}
