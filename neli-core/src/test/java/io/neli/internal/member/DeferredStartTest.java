package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.neli.LeaderWork;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliMetrics;
import io.neli.NeliSnapshot;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeferredStartTest {

    private static Neli leading(Duration failFast) {
        MemberSettings settings = new MemberSettings(
                "deferred",
                "group",
                "group.neli",
                new Roles(List.of(), 1),
                Map.of(),
                Mode.EXCLUSIVE,
                Duration.ofSeconds(3),
                Duration.ofMillis(500),
                PATIENCE,
                List.of(),
                new NeliMetrics() {},
                true,
                null,
                failFast);
        return new MemberNeli(settings, events -> new DisabledEngine(settings, true, events));
    }

    @Test
    void a_start_that_fails_fast_says_what_it_has_waited_for() {
        Neli neli = leading(Duration.ofMillis(50));
        neli.start();
        LeaderWork work = neli.beginWork().orElseThrow();
        work.detach(() -> {});
        neli.close();

        assertThatThrownBy(neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "the previous start of this election has not ended: work in role 'default' that was detached",
                        "neli.fail-fast is '50ms'");
        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        work.close();
        neli.start();
        assertThat(neli.isLeader()).isTrue();
        neli.close();
    }

    @Test
    void a_close_ends_a_start_that_waits() {
        Neli neli = leading(PATIENCE.multipliedBy(10));
        neli.start();
        LeaderWork work = neli.beginWork().orElseThrow();
        work.detach(() -> {});
        neli.close();
        CompletableFuture<Void> starting = CompletableFuture.runAsync(neli::start);
        eventually().until(() -> neli.snapshot().problem().orElse("").contains("previous start"));

        neli.close();

        assertThat(starting).succeedsWithin(PATIENCE);
        assertThat(neli.isLeader()).isFalse();
        work.close();
        assertThat(neli.isLeader()).isFalse();
    }
}
