package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.neli.Leader;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.NeliSnapshot;
import io.neli.internal.shell.Participant;
import org.jspecify.annotations.Nullable;

/** The engine of a disabled election: leads everything in one term, or never anything. Connects to nothing. */
public final class DisabledEngine implements Engine, Participant {

    private static final long TOKEN = 1;

    private final MemberSettings settings;
    private volatile boolean leading;
    private final Events events;

    public DisabledEngine(MemberSettings settings, boolean leading, Events events) {
        this.settings = settings;
        this.leading = leading;
        this.events = events;
    }

    @Override
    public Participant participant() {
        return this;
    }

    @Override
    public void start() {
        if (leading) {
            IntStream.range(0, settings.roles().partitions())
                    .mapToObj(partition -> new LeaderAcquired(Roles.ofPartition(partition), partition, TOKEN))
                    .forEach(events::changed);
        }
    }

    @Override
    public boolean takesPart() {
        return false;
    }

    @Override
    public boolean hasEventsOfItsOwn() {
        return false;
    }

    @Override
    public boolean leads(int partition, long token) {
        return leading;
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return leading
                ? Optional.of(new Leader(role, settings.name(), TOKEN, true, settings.metadata()))
                : Optional.empty();
    }

    @Override
    public NeliSnapshot snapshot(IntFunction<Duration> preparingFor) {
        return Snapshots.stopped(settings, List.of(), List.of());
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {}

    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {}

    @Override
    public void pause(@Nullable Integer partition, boolean paused) {}

    @Override
    public void candidate(boolean candidate) {}

    @Override
    public void close() {
        leading = false;
    }
}
