package io.neli.spring.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.spring.LeaderOnly.Otherwise.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaderOnlyFutureTest {

    private final StubNeli neli = StubNeli.leading();
    private final GatedContext gated = new GatedContext(neli);

    @AfterEach
    void close() {
        gated.close();
    }

    @Test
    void a_call_counts_as_running_until_its_future_completes() {
        Job job = gated.start(Job.class);

        CompletableFuture<String> returned = job.future();

        assertThat(returned).isNotDone();
        assertThat(neli.calls).containsExactly("begin", "detach");
        job.complete("done");
        assertThat(returned).isCompletedWithValue("done");
        assertThat(neli.calls).containsExactly("begin", "detach", "end");
    }

    @Test
    void a_call_whose_future_fails_or_is_cancelled_has_ended() {
        Job job = gated.start(Job.class);
        job.fail();
        job.stage();
        assertThat(neli.calls).containsExactly("begin", "detach", "end");
        job.reset();

        job.future().cancel(true);

        assertThat(neli.calls).endsWith("begin", "detach", "end");
    }

    @Test
    void a_call_that_throws_or_returns_no_future_has_ended() {
        Job job = gated.start(Job.class);
        assertThatThrownBy(job::fails).hasMessage("broken");
        assertThat(job.none()).isNull();
        assertThat(neli.calls).containsExactly("begin", "end", "begin", "end");
    }

    @Test
    void a_fence_does_not_complete_a_future_whose_computation_continues() {
        Job job = gated.start(Job.class);
        CompletableFuture<String> returned = job.future();

        neli.fence();

        assertThat(returned).isNotDone();
        assertThat(neli.calls).doesNotContain("end");
    }

    @Test
    void a_skipped_call_returns_a_future_that_has_completed_empty() {
        neli.lead(false);
        Job job = gated.start(Job.class);
        assertThat(job.future()).isCompletedWithValue(null);
        assertThat(job.stage().toCompletableFuture()).isCompletedWithValue(null);
    }

    @Test
    void a_call_that_throws_elsewhere_throws_at_once() {
        neli.lead(false);
        Job job = gated.start(Job.class);
        assertThatThrownBy(job::throwing).isInstanceOf(NotLeaderException.class);
    }

    static class Job {

        private CompletableFuture<String> future = new CompletableFuture<>();

        @LeaderOnly
        public CompletableFuture<String> future() {
            return future;
        }

        @LeaderOnly
        public CompletionStage<String> stage() {
            return future;
        }

        @LeaderOnly
        public CompletableFuture<String> fails() {
            throw new IllegalStateException("broken");
        }

        @LeaderOnly
        public CompletableFuture<String> none() {
            return null;
        }

        @LeaderOnly(otherwise = THROW)
        public CompletableFuture<String> throwing() {
            return future;
        }

        public void complete(String value) {
            future.complete(value);
        }

        public void fail() {
            future.completeExceptionally(new IllegalStateException("broken"));
        }

        public void reset() {
            future = new CompletableFuture<>();
        }
    }
}
