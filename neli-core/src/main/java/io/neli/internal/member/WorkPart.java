package io.neli.internal.member;

import io.neli.LeaderWork;
import io.neli.Leadership;
import org.jspecify.annotations.Nullable;

/** Work within work of the same thread: part of the outer work, unless it is detached. */
final class WorkPart implements LeaderWork {

    private final WorkGate gate;
    private final RunningWork outer;
    private final TermLeadership leadership;
    private final CurrentTerm.Place place;
    private volatile @Nullable RunningWork detached;
    private volatile boolean closed;

    WorkPart(WorkGate gate, RunningWork outer, String role) {
        this.gate = gate;
        this.outer = outer;
        this.leadership = outer.leadership().of(role);
        this.place = CurrentTerm.enter(leadership);
    }

    @Override
    public Leadership leadership() {
        return leadership;
    }

    @Override
    public void detach(Runnable onFence) {
        if (closed || detached != null) {
            throw RunningWork.cannotDetach(leadership);
        }
        RunningWork own = gate.split(outer, leadership);
        detached = own;
        place.leave();
        own.detach(onFence);
    }

    @Override
    public void close() {
        closed = true;
        place.leave();
        RunningWork own = detached;
        if (own != null) {
            own.close();
        }
    }
}
