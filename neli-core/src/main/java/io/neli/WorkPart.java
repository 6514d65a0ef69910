package io.neli;

import org.jspecify.annotations.Nullable;

/** Work within work of the same thread: ends with the outer one, unless it is detached. */
final class WorkPart implements LeaderWork {

    private final WorkGate gate;
    private final GatedWork outer;
    private final TermLeadership leadership;
    private final CurrentTerm.Place place;
    private volatile @Nullable GatedWork detached;
    private volatile boolean closed;

    WorkPart(WorkGate gate, GatedWork outer, String role) {
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
            throw GatedWork.cannotDetach(leadership);
        }
        GatedWork own = gate.split(outer, leadership);
        detached = own;
        place.leave();
        own.detach(onFence);
    }

    @Override
    public void close() {
        closed = true;
        place.leave();
        GatedWork own = detached;
        if (own != null) {
            own.close();
        }
    }
}
