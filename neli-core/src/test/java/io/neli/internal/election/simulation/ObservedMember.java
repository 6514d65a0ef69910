package io.neli.internal.election.simulation;

import java.util.HashMap;
import java.util.Map;

import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/** What may be asked of a member at any moment, also of a paused one. */
abstract class ObservedMember {

    final MemberId id;
    final ElectionSettings settings;
    final SimulatedClock clock;
    final Reach[] reach;

    ObservedMember(MemberId id, ElectionSettings settings, SimulatedClock clock) {
        this.id = id;
        this.settings = settings;
        this.clock = clock;
        this.reach = new Reach[settings.groupConfig().partitions()];
    }

    abstract ElectionState state();

    boolean isPausedByApplication() {
        return state().eligibility().restraint().paused();
    }

    /** The true time, which no member knows. */
    long now() {
        return clock.trueTime();
    }

    boolean isLeader(int partition) {
        return is(State.LEADING, partition) && holds(partition);
    }

    /** Leads, or keeps the others out while its work ends. */
    boolean holds(int partition) {
        PartitionState mine = partition < reach.length ? state().partitions().get(partition) : null;
        return mine != null && leads(mine) && mine.isHeldAt(clock.now());
    }

    static boolean leads(PartitionState mine) {
        return mine.state() == State.LEADING || mine.state() == State.DRAINING;
    }

    boolean is(State asked, int partition) {
        return partition < reach.length && state().partitions().get(partition).state() == asked;
    }

    boolean leadsAny() {
        for (int partition = 0; partition < reach.length; partition++) {
            if (is(State.LEADING, partition)) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    MemberHash ownerOf(int partition) {
        return state().partitions().get(partition).owner();
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    int leads() {
        int leads = 0;
        for (int partition = 0; partition < reach.length; partition++) {
            leads += is(State.LEADING, partition) ? 1 : 0;
        }
        return leads;
    }

    long lease() {
        return settings.leaseDuration().toNanos();
    }

    /** Whom it believes to lead; null if nobody. */
    @Nullable
    MemberId leaderOf(int partition) {
        Term led = state().partitions().get(partition).ledAt(clock.now(), id);
        return led == null ? null : led.holder();
    }

    boolean isEligible() {
        return state().eligibility().isEligibleAt(clock.now().time());
    }

    boolean isEligible(int partition) {
        PartitionState mine = state().partitions().get(partition);
        return mine.eligibility().isEligibleAt(clock.now().time());
    }

    /** The term that it knows. */
    long term(int partition) {
        Term known = known(partition);
        return known == null ? Term.NONE : known.offset();
    }

    long token(int partition) {
        Term known = known(partition);
        return known == null ? Term.NONE : known.token();
    }

    private @Nullable Term known(int partition) {
        return partition < reach.length ? state().partitions().get(partition).term() : null;
    }

    /** What it reports to the group. */
    MemberMetadata metadata() {
        Map<Integer, Long> leading = new HashMap<>();
        for (int partition = 0; partition < reach.length; partition++) {
            long token = state().partitions().get(partition).leadingAt(clock.now());
            if (token != Term.NONE) {
                leading.put(partition, token);
            }
        }
        return new MemberMetadata(
                id,
                isEligible(),
                state().excludedAt(clock.now().time()),
                0,
                leading,
                settings.groupConfig().fingerprint(),
                settings.groupConfig().partitions());
    }
}
