package io.neli.internal.election.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Records;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/** What tests may ask a member at any moment, even while it is paused. */
abstract class ObservedMember {

    /** Replaced after the member reads a record in its name that it did not send. */
    MemberId id;

    final ElectionSettings settings;
    final SimulatedClock clock;
    /** Indexed by the number of the log, see {@link World#number}. */
    final Reach[] reach;
    /** Indexed by partition. */
    final Leading[] leading;

    ElectionState state;

    ObservedMember(World world, MemberId id, ElectionSettings settings, SimulatedClock clock, ElectionState state) {
        this.id = id;
        this.state = state;
        this.settings = settings;
        this.clock = clock;
        int partitions = settings.groupConfig().partitions();
        this.reach = world.logs.stream()
                .limit((long) partitions * settings.groupConfig().quorum())
                .map(Reach::new)
                .toArray(Reach[]::new);
        this.leading = Stream.generate(Leading::new).limit(partitions).toArray(Leading[]::new);
    }

    boolean isPausedByApplication() {
        return state.eligibility().restraint().paused();
    }

    /** The true time, which no member knows. */
    long now() {
        return clock.timeline.now();
    }

    boolean isLeader(int partition) {
        return is(State.LEADING, partition) && holds(partition);
    }

    /** Whether it leads, or keeps others out while its work ends. */
    boolean holds(int partition) {
        PartitionState mine = partition < leading.length ? state.partitions().get(partition) : null;
        return mine != null && leads(mine) && mine.isHeldAt(clock.now());
    }

    static boolean leads(PartitionState mine) {
        return mine.state() == State.LEADING || mine.state() == State.DRAINING;
    }

    boolean is(State asked, int partition) {
        return partition < leading.length && state.partitions().get(partition).state() == asked;
    }

    boolean leadsAny() {
        return leads() > 0;
    }

    @Nullable
    MemberHash ownerOf(int partition) {
        return state.partitions().get(partition).owner();
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    int leads() {
        return (int) IntStream.range(0, leading.length)
                .filter(partition -> is(State.LEADING, partition))
                .count();
    }

    long lease() {
        return settings.leaseDuration().toNanos();
    }

    /** The leader that it knows; null if none. */
    @Nullable
    MemberId leaderOf(int partition) {
        Term led = state.partitions().get(partition).ledAt(clock.now(), id);
        return led == null ? null : led.holder();
    }

    boolean isEligible() {
        return state.eligibility().isEligibleAt(clock.now().time());
    }

    boolean isEligible(int partition) {
        PartitionState mine = state.partitions().get(partition);
        return mine.eligibility().isEligibleAt(clock.now().time());
    }

    LogState log(int number) {
        int quorum = settings.groupConfig().quorum();
        return state.partitions().get(number / quorum).logs().get(number % quorum);
    }

    long term(int number) {
        Term known = number < reach.length ? log(number).term() : null;
        return known == null ? Term.NONE : known.offset();
    }

    boolean holdsLog(int number) {
        return number < reach.length && log(number).isHeldAt(clock.now());
    }

    /** Whether it holds all current logs of the partition, and all of them count. */
    boolean leadsByAll(int partition) {
        int quorum = settings.groupConfig().quorum();
        int first = partition * quorum;
        for (int number = first; number < first + quorum; number++) {
            boolean isNewest = reach[number].reads.newest().isInstance(reach[number].epoch);
            boolean counts = quorum == 1
                    || (Records.sayComplete(log(number))
                            && !state.partitions().get(partition).isCreatedAgain(number - first));
            if (!holdsLog(number) || !counts || !isNewest) {
                return false;
            }
        }
        return true;
    }

    int majority() {
        return settings.groupConfig().quorum() / 2 + 1;
    }

    long token(int partition) {
        Term known =
                partition < leading.length ? state.partitions().get(partition).term() : null;
        return known == null ? Term.NONE : known.token();
    }

    /** The metadata that it reports to the group. */
    MemberMetadata metadata() {
        Map<Integer, Long> tokens = new HashMap<>();
        for (int partition = 0; partition < leading.length; partition++) {
            long token = state.partitions().get(partition).leadingAt(clock.now());
            if (token != Term.NONE) {
                tokens.put(partition, token);
            }
        }
        return new MemberMetadata(
                id,
                isEligible(),
                state.excludedAt(clock.now().time()),
                0,
                tokens,
                settings.groupConfig().fingerprint(),
                settings.groupConfig().partitions());
    }
}
