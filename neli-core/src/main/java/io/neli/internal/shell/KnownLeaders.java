package io.neli.internal.shell;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.neli.internal.election.ElectionState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;

/** Reports who leads each partition, as far as this member knows, whenever that changes. */
final class KnownLeaders {

    /** The parts of a term whose change is reported. */
    private record Led(MemberId holder, long token) {}

    private final ShellSettings settings;
    private final BiConsumer<Integer, Optional<Term>> report;
    private final Map<Integer, Optional<Led>> known = new HashMap<>();
    private MonotonicTime nextLook = MonotonicTime.PAST;

    KnownLeaders(ShellSettings settings, BiConsumer<Integer, Optional<Term>> report) {
        this.settings = settings;
        this.report = report;
    }

    /** Looks at changed partitions and, once per heartbeat interval, at all: a lease may end without a change. */
    @SuppressWarnings("ReferenceEquality") // whether the step has replaced it
    void update(ElectionState before, ElectionState after, MemberId self, Moment now) {
        boolean all = now.time().hasReached(nextLook);
        if (all) {
            nextLook = now.time().plus(settings.election().heartbeatInterval());
        }
        for (int partition = 0; partition < settings.partitions(); partition++) {
            PartitionState state = after.partitions().get(partition);
            boolean fenced =
                    state.ledTerm() != Term.NONE && state.leadingAt(now) == Term.NONE; // the fence is reported first
            if (!fenced && (all || state != before.partitions().get(partition))) {
                update(
                        partition,
                        after.ledAt(partition, now, self, settings.election().groupConfig()));
            }
        }
    }

    private void update(int partition, Optional<Term> term) {
        Optional<Led> now = term.map(led -> new Led(led.holder(), led.token()));
        if (!now.equals(Objects.requireNonNullElse(known.put(partition, now), Optional.empty()))) {
            report.accept(partition, term);
        }
    }
}
