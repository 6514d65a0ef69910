package io.neli.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.neli.Leader;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.NeliSnapshot;
import io.neli.internal.member.Engine;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.shell.Participant;
import org.jspecify.annotations.Nullable;

/** An engine with which the test decides who leads: this member, or the other one. */
final class FakeEngine implements Engine, Participant {

    private final MemberSettings settings;
    private final boolean leadsFromStart;
    private final List<FakeUnit> units;
    private final Set<FakeUnit> pausedUnits = ConcurrentHashMap.newKeySet();
    private volatile boolean paused;
    private volatile boolean candidate = true;

    /**
     * Creates an engine that is not started.
     *
     * @param othersMetadata the metadata of the other member while it leads
     * @param tokens the last token that was used; kept between starts, so that tokens keep growing
     */
    FakeEngine(
            MemberSettings settings,
            boolean leadsFromStart,
            Map<String, String> othersMetadata,
            AtomicLong tokens,
            Events events) {
        this.settings = settings;
        this.leadsFromStart = leadsFromStart;
        this.units = IntStream.range(0, settings.roles().partitions())
                .mapToObj(partition -> new FakeUnit(settings, partition, othersMetadata, tokens, events))
                .toList();
    }

    @Override
    public Participant participant() {
        return this;
    }

    @Override
    public void start() {
        units.forEach(leadsFromStart && candidate ? FakeUnit::acquire : FakeUnit::othersLead);
    }

    List<FakeUnit> units() {
        return units;
    }

    FakeUnit unit(int partition) {
        return units.get(partition);
    }

    boolean isEligible(FakeUnit unit) {
        return isEligible() && !pausedUnits.contains(unit);
    }

    private boolean isEligible() {
        return candidate && !paused;
    }

    void resumeAll() {
        paused = false;
        pausedUnits.clear();
    }

    @Override
    public boolean hasEventsOfItsOwn() {
        return false;
    }

    @Override
    public boolean leads(int partition, long token) {
        return units.get(partition).leads(token);
    }

    @Override
    public boolean lasts(int partition, long token) {
        return units.get(partition).lasts(token);
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return units.get(partition).leader(role);
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {
        units.get(partition).drained(token);
    }

    /** Hands over. Ignores the cooldown, because the test decides when this member leads again. */
    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {
        (partition == null ? units : List.of(unit(partition))).forEach(unit -> unit.revoke(RevokeReason.RESIGNED));
    }

    @Override
    public void pause(@Nullable Integer partition, boolean pause) {
        if (partition == null) {
            paused = pause;
        } else if (pause) {
            pausedUnits.add(unit(partition));
        } else {
            pausedUnits.remove(unit(partition));
        }
        revokeNotEligible();
    }

    @Override
    public void candidate(boolean mayLead) {
        candidate = mayLead;
        revokeNotEligible();
    }

    private void revokeNotEligible() {
        units.stream().filter(unit -> !isEligible(unit)).forEach(unit -> unit.revoke(RevokeReason.PAUSED));
    }

    /**
     * Hands over these units and waits for their work and listeners; on a timeout fences them, as a real member would.
     */
    void handOver(List<FakeUnit> wanted, RevokeReason reason) {
        wanted.forEach(unit -> unit.revoke(reason));
        try {
            wanted.forEach(FakeUnit::awaitEnd);
        } catch (IllegalStateException late) {
            wanted.forEach(unit -> unit.fence(FenceReason.HANDOVER_TIMED_OUT));
            throw late;
        }
    }

    @Override
    public void close() {
        handOver(units, RevokeReason.CLOSING);
    }

    @Override
    public NeliSnapshot snapshot(IntFunction<Duration> preparingFor) {
        return new NeliSnapshot(
                settings.name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.RUNNING,
                Optional.empty(),
                isEligible(),
                paused,
                2,
                units.stream()
                        .map(unit -> unit.snapshot(isEligible(unit), preparingFor))
                        .toList(),
                Map.of(),
                List.of());
    }
}
