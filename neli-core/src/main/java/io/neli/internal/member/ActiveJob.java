package io.neli.internal.member;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.neli.Job;
import io.neli.LeaderWork;
import io.neli.NeliSnapshot;
import io.neli.internal.runs.JobTerm;
import io.neli.internal.shell.Backoff;
import org.jspecify.annotations.Nullable;

/** One job in one term. Belongs to the thread of the jobs, but for what is shown and held. */
final class ActiveJob {

    final Job job;
    final TermLeadership term;
    final JobTerm rules;

    /** Of its executor. The records that are written between them say nothing of it. */
    final Backoff refusals = new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1));

    volatile NeliSnapshot.Job view;
    private final AtomicReference<@Nullable LeaderWork> held = new AtomicReference<>();
    private @Nullable Future<?> wake;
    private @Nullable Runnable successor;

    /** A job of which nothing is known yet. */
    ActiveJob(Job job, TermLeadership term, String member) {
        this.job = job;
        this.term = term.of(job.role());
        this.rules = new JobTerm(job, member, term.token());
        this.view = Snapshots.unknown(job);
    }

    /**
     * From before a run is recorded as begun until it is recorded as ended, or as not begun, a handover waits: the next leader
     * reads what is true.
     *
     * @param gate makes a handover of a role wait, if this member leads it
     * @return whether it waits until {@link #release}
     */
    boolean hold(Function<String, Optional<LeaderWork>> gate) {
        if (held.get() == null) {
            gate.apply(job.role()).ifPresent(held::set);
        }
        LeaderWork now = held.get();
        boolean holds = now != null && now.leadership().token() == term.token();
        if (!holds) {
            release();
        }
        return holds;
    }

    void release() {
        LeaderWork ended = held.getAndSet(null);
        if (ended != null) {
            ended.close();
        }
    }

    /** Its successor begins when nothing of it goes on. */
    void whenWaiting(Runnable begin) {
        successor = begin;
    }

    void becomeWaiting() {
        Runnable next = successor;
        successor = null;
        if (next != null) {
            next.run();
        }
    }

    /** In place of what it waited for before. */
    void waitFor(Future<?> next) {
        if (wake != null) {
            wake.cancel(false);
        }
        wake = next;
    }
}
