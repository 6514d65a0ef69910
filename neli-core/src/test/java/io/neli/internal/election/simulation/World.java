package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Everything there is in one schedule. */
final class World {

    private static final String NEWER = "newer";

    final Chance chance;
    final Conditions conditions;
    final Timeline timeline = new Timeline();
    final List<SimulatedLog> logs = new ArrayList<>();
    final List<SimulatedMember> members = new ArrayList<>();
    final SimulatedGroup group;
    final Tally tally = new Tally();
    final Safety safety;
    /** Whether members may know more or fewer roles. */
    final boolean roles;

    final GroupConfig groupConfig;
    private final long oldLease;
    private final long newLease;
    private final @Nullable Consumer<String> trace;
    private boolean disturbed;
    /** Whether there is, or was, a member of a newer version. */
    boolean hasNewer;
    /** Whether a member with other settings may have led: then the others wait for another lease. */
    boolean hasStrangers;

    private long twinsUntil;
    /** How late timers are at most. */
    long latestTimer;

    private int born;
    /** The number of changes of leadership. */
    int changes;
    /** The longest time that work ran after its term. */
    long longestDrain;
    /** How long all work runs after its term; 0 if that is drawn. */
    long work;
    /** When each partition's latest term was acquired. */
    final long[] ledSince;
    /** What happens whenever a claim, or a bid, has reached the log. */
    ObjIntConsumer<MemberId> onClaim = (by, partition) -> {};

    ObjIntConsumer<MemberId> onBid = (by, partition) -> {};
    BiConsumer<SimulatedMember, LeaderEvent> onEvent = (member, event) -> {};

    /**
     * Creates a world in which nothing has happened.
     *
     * @param roles whether each partition has its own role, and members may know more or fewer of them
     */
    World(Chance chance, Conditions conditions, boolean roles, @Nullable Consumer<String> trace) {
        this.chance = chance;
        this.conditions = conditions;
        this.trace = trace;
        this.group = new SimulatedGroup(this);
        this.roles = roles;
        this.groupConfig = roles
                ? WrongRoles.first(conditions, conditions.partitions())
                : new GroupConfig(conditions.mode(), conditions.partitions(), "roles", conditions.quorum());
        this.oldLease = chance.oneOf(conditions.leases());
        this.newLease = chance.oneOf(conditions.leases());
        for (int partition = 0; partition <= conditions.partitions(); partition++) {
            for (int log = 0; log < conditions.quorum(); log++) {
                logs.add(new SimulatedLog(this, new LogId(partition, log))); // one more partition, for a stranger
            }
        }
        this.ledSince = new long[conditions.partitions() + 1];
        this.safety = new Safety(this);
    }

    // Members.

    SimulatedMember join(boolean candidate) {
        long lease = conditions.rolling() ? oldLease : chance.oneOf(conditions.leases());
        return join("m", candidate, knownRoles(), lease);
    }

    SimulatedMember joinWithAllRoles() {
        return join("m", true, groupConfig, conditions.rolling() ? oldLease : chance.oneOf(conditions.leases()));
    }

    SimulatedMember joinWithNewLease() {
        SimulatedMember member = join("m", true, knownRoles(), newLease);
        member.isNew = true;
        return member;
    }

    SimulatedMember join(long lease) {
        return join("m", true, groupConfig, lease);
    }

    SimulatedMember joinWithRoles(int count) {
        return join("m", true, WrongRoles.first(conditions, count), chance.oneOf(conditions.leases()));
    }

    SimulatedMember joinStranger(GroupConfig its) {
        return joinStranger(strangersName(), true, its);
    }

    private SimulatedMember joinStranger(String name, boolean candidate, GroupConfig its) {
        hasStrangers = true;
        return join(name, candidate, its, chance.oneOf(conditions.leases()));
    }

    /** The first name in order is asked first while nobody leads. */
    private String strangersName() {
        return chance.oneOf(List.of("a", "x"));
    }

    /** All roles; or, if members may know different ones, some. */
    private GroupConfig knownRoles() {
        return roles && chance.happens(0.5)
                ? WrongRoles.first(conditions, (int) chance.between(1, conditions.partitions() + 1L))
                : groupConfig;
    }

    /** Starts a member that uses only the first of the logs and does not know the others. */
    SimulatedMember joinWithOtherQuorum(boolean candidate) {
        GroupConfig its = new GroupConfig(groupConfig.mode(), 1, "roles", conditions.quorum() - 2);
        return joinStranger(strangersName(), candidate, its);
    }

    /** Starts a member with other roles, partitions or another mode than the others. */
    SimulatedMember joinStranger(boolean candidate) {
        if (roles && chance.happens(0.8)) {
            return joinStranger(strangersName(), candidate, WrongRoles.drawn(chance, conditions));
        }
        int partitions = conditions.partitions();
        Mode otherMode = groupConfig.mode() == Mode.EXCLUSIVE ? Mode.NON_EXCLUSIVE : Mode.EXCLUSIVE;
        GroupConfig other = chance.oneOf(List.of(
                otherConfig(groupConfig.mode(), partitions, "other roles"),
                otherConfig(groupConfig.mode(), partitions + 1, "roles"),
                otherConfig(groupConfig.mode(), Math.max(1, partitions - 1), partitions == 1 ? "others" : "roles"),
                otherConfig(otherMode, partitions, "roles")));
        return joinStranger(strangersName(), candidate, other);
    }

    private GroupConfig otherConfig(Mode mode, int partitions, String roles) {
        return new GroupConfig(mode, partitions, roles, conditions.quorum());
    }

    /** Starts a member of a newer version: it can read all records, but the others cannot read its records. */
    SimulatedMember joinNewer(long lease) {
        hasNewer = true;
        return join(NEWER, true, groupConfig, lease);
    }

    static boolean isNewer(MemberId member) {
        return member.name().startsWith(NEWER);
    }

    private SimulatedMember join(String name, boolean candidate, GroupConfig its, long lease) {
        born++;
        MemberId id = new MemberId(name + born, chance.uuid());
        ElectionSettings settings = new ElectionSettings(
                Duration.ofNanos(lease),
                Duration.ofNanos(lease / chance.oneOf(4L, 5L, 6L)),
                Duration.ofNanos(chance.oneOf(300L, 600L, 2000L) * MILLISECOND),
                its,
                Map.of());
        SimulatedClock clock = new SimulatedClock(timeline, drift());
        SimulatedMember member = new SimulatedMember(this, id, settings, clock, candidate);
        note(member.id, "starts", -1, settings);
        members.add(member);
        if (!conditions.adversarial()) {
            group.starts(member);
        }
        return member;
    }

    /** Runs a copy of a member that was made before. */
    void restores(SimulatedMember copy) {
        note(copy.id, "is restored once more", -1, "");
        haveTwins();
        members.add(copy);
        group.starts(copy);
        copy.isRestored();
    }

    /** From now on, two may lead at the same time until each has written a heartbeat and the other has read it. */
    void haveTwins() {
        twinsUntil = timeline.now() + conditions.longestLease() / 4 + Twins.ROUND_TRIP;
    }

    boolean hasHadTwins() {
        return twinsUntil > 0;
    }

    boolean mayHaveTwins() {
        return timeline.now() <= twinsUntil;
    }

    private long drift() {
        long most = conditions.drift();
        return chance.happens(0.5) ? chance.oneOf(-most, most) : chance.between(-most, most);
    }

    boolean isStranger(SimulatedMember member) {
        GroupConfig its = member.settings.groupConfig();
        return !its.fingerprint().equals(groupConfig.fingerprint())
                || WrongRoles.from(its, groupConfig) < its.partitions();
    }

    /** Whether its group uses fewer logs: its leader is not a leader of the others. */
    boolean hasOtherQuorum(SimulatedMember member) {
        return member.settings.groupConfig().quorum() != conditions.quorum();
    }

    void crashes(SimulatedMember member) {
        note(member.id, "crashes", -1, "");
        member.alive = false;
        members.remove(member);
    }

    void leaves(SimulatedMember member) {
        members.remove(member);
        member.alive = false;
        timeline.after(5 * MILLISECOND, () -> group.leaves(member));
    }

    /** How long a term's work runs after the end of the term. Some work never notices that it should end. */
    long drainTime(SimulatedMember member) {
        long drain = work > 0 ? work : drawDrainTime(member);
        longestDrain = Math.max(longestDrain, drain);
        return drain;
    }

    private long drawDrainTime(SimulatedMember member) {
        if (!disturbed && chance.happens(0.2)) {
            return Math.min(member.settings.handoverTimeout().toNanos() * 8 / 10, 3 * member.lease() / 2);
        }
        return disturbed && chance.happens(0.1)
                ? 10_000 * MILLISECOND
                : chance.oneOf(0L, 1L, 5L, 50L, 200L) * MILLISECOND;
    }

    // Its logs.

    /** Numbers all logs of all partitions. */
    int number(LogId log) {
        return log.partition() * conditions.quorum() + log.log();
    }

    IntStream partitions() {
        return IntStream.range(0, conditions.partitions());
    }

    int partitionOf(int number) {
        return number / conditions.quorum();
    }

    List<SimulatedLog> logsOf(int partition) {
        int first = partition * conditions.quorum();
        return logs.subList(first, first + conditions.quorum());
    }

    /** Replaces a log by an empty one. Some members still reach the old one, to read, to write, or both. */
    void replaces(int number, double share) {
        logs.set(number, logs.get(number).isReplaced());
        for (SimulatedMember member : List.copyOf(members)) {
            if (number < member.reach.length) {
                Reach at = member.reach[number];
                boolean reads = !chance.happens(share);
                boolean writes = share == 0 || chance.happens(0.8) == reads;
                at.reads = reads ? logs.get(number) : at.reads;
                at.writes = writes ? logs.get(number) : at.writes;
            }
            member.wake();
        }
    }

    /** Whether each partition is led with all its logs and all of them count, so that any one of them may be lost. */
    boolean isWhole() {
        return partitions().allMatch(partition -> {
            SimulatedMember leader = leader(partition);
            // The others cannot read what a newer version has agreed on.
            return leader != null && !isNewer(leader.id) && leader.leadsByAll(partition);
        });
    }

    /** How many logs of a partition are not down. */
    int logsUp() {
        return (int) logsOf(0).stream().filter(log -> !log.isDown()).count();
    }

    /** The name of a log in a trace. */
    Object name(int number) {
        return conditions.quorum() == 1 ? number : partitionOf(number) + "." + number % conditions.quorum();
    }

    // Its state.

    boolean isDisturbed() {
        return disturbed;
    }

    void isDisturbed(boolean now) {
        disturbed = now;
        note("world", -1, now ? "is disturbed" : "calms down", "");
    }

    @Nullable
    SimulatedMember leader(int partition) {
        return leaders(partition).findFirst().orElse(null);
    }

    private Stream<SimulatedMember> leaders(int partition) {
        return members.stream().filter(member -> member.isLeader(partition) && !hasOtherQuorum(member));
    }

    /** Whether a member that may lead knows the partition's role. */
    private boolean isToBeLed(int partition) {
        return !roles || members.stream().anyMatch(member -> member.mayLead(partition));
    }

    boolean everyPartitionHasOneLeader() {
        return partitions().allMatch(partition -> {
            long leaders = leaders(partition).count();
            return leaders == 1 || (leaders == 0 && !isToBeLed(partition));
        });
    }

    boolean everyPartitionIsLed() {
        return partitions().allMatch(partition -> leader(partition) != null || !isToBeLed(partition));
    }

    // What happens in it.

    void announced(SimulatedMember member, int partition, LeaderEvent event) {
        changes++;
        onEvent.accept(member, event);
        if (hasOtherQuorum(member)) {
            tally.count(event instanceof LeaderAcquired ? "acquired by another quorum" : "ended by another quorum");
        } else if (event instanceof LeaderAcquired) {
            tally.count(isNewer(member.id) ? "acquired by a newer version" : "acquired");
            ledSince[partition] = timeline.now();
            safety.acquired(member, partition, event.token());
        } else if (event instanceof LeaderFenced) {
            tally.count("fenced");
        }
    }

    void bid(int number, MemberId by) {
        tally.count("bids");
        onBid.accept(by, partitionOf(number));
        for (SimulatedMember member : members) {
            if (number < member.reach.length && !member.id.equals(by)) {
                member.reach[number].muteUntilBid = false;
            }
        }
    }

    void claimed(int number, MemberId by) {
        if (partitionOf(number) < conditions.partitions()) { // a stranger may have one more partition
            tally.count("claims");
        }
        onClaim.accept(by, partitionOf(number));
    }

    void waits(long duration) {
        timeline.runUntil(timeline.now() + duration);
    }

    /** Checks safety. Called after anything that may have begun or extended leadership. */
    void check() {
        IntStream.range(0, ledSince.length).forEach(safety::check);
    }

    boolean isTraced() {
        return trace != null;
    }

    void note(Object who, Object first, Object second, Object third) {
        if (trace != null) {
            trace.accept("%10.3f %s %s %s %s".formatted(timeline.now() / 1e6, who, first, second, third));
        }
    }
}
