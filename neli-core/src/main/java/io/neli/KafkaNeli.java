package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import io.neli.kafka.MemberEngine;
import io.neli.kafka.MemberSettings;
import io.neli.protocol.Assignment;
import io.neli.protocol.ElectionState;
import io.neli.protocol.MemberId;
import io.neli.protocol.PartitionState;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;

/** The election as an application holds it: can be started again, each time as a new member. */
final class KafkaNeli implements Neli {

    private final Function<UUID, MemberSettings> settings;
    private final MemberSettings described;
    private final List<LeaderListener> listeners;
    private final boolean interruptOnFence;
    private volatile @Nullable Membership membership;

    KafkaNeli(Function<UUID, MemberSettings> settings, List<LeaderListener> listeners, boolean interruptOnFence) {
        this.settings = settings;
        this.described = settings.apply(new UUID(0, 0));
        this.listeners = List.copyOf(listeners);
        this.interruptOnFence = interruptOnFence;
    }

    @Override
    public synchronized void start() {
        Membership current = membership;
        if (current != null && !current.isClosing()) {
            return;
        }
        Membership next = new Membership(settings.apply(UUID.randomUUID()), listeners, interruptOnFence, current);
        membership = next;
        next.start();
    }

    private Optional<Membership> running() {
        return Optional.ofNullable(membership).filter(current -> !current.isClosing());
    }

    @Override
    public boolean isLeader() {
        Membership current = membership;
        return current != null && current.leadership().isPresent();
    }

    @Override
    public Optional<Leadership> leadership() {
        Membership current = membership;
        return current == null ? Optional.empty() : current.leadership();
    }

    @Override
    public Optional<Leader> leader() {
        return running().flatMap(Membership::leader);
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        Membership current = membership;
        return current == null ? Optional.empty() : current.awaitLeadership(timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        Membership current = membership;
        return current == null ? Optional.empty() : current.gate().enter();
    }

    @Override
    public BackgroundTask background(LeaderTask task) {
        return running()
                .orElseThrow(() -> new IllegalStateException("the election is not started: call start() first"))
                .background(task);
    }

    @Override
    public void resign(Duration cooldown) {
        if (cooldown.isNegative()) {
            throw new IllegalArgumentException("cooldown is " + cooldown + ": it must not be negative");
        }
        running().ifPresent(current -> current.engine().resign(cooldown));
    }

    @Override
    public void close() {
        Membership current = membership;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public NeliSnapshot snapshot() {
        Optional<Membership> current = running();
        if (current.isEmpty()) {
            return new NeliSnapshot(
                    described.election().self().name(),
                    described.groupId(),
                    described.topic(),
                    NeliSnapshot.Status.STOPPED,
                    Optional.empty(),
                    false,
                    List.of(),
                    List.of(),
                    Map.of());
        }
        return snapshot(current.get().engine());
    }

    private NeliSnapshot snapshot(MemberEngine engine) {
        ElectionState state = engine.state();
        Optional<String> problem = engine.problem();
        Assignment assignment = state.assignment();
        List<String> members = assignment == null
                ? List.of()
                : assignment.standing().keySet().stream()
                        .sorted()
                        .map(MemberId::name)
                        .toList();
        List<NeliSnapshot.Partition> partitions = new ArrayList<>();
        for (int number = 0; number < state.partitions().size(); number++) {
            PartitionState partition = state.partitions().get(number);
            partitions.add(new NeliSnapshot.Partition(
                    number,
                    partition.state().name(),
                    engine.leader(number).map(term -> term.holder().name()),
                    Optional.ofNullable(partition.term()).map(Term::token),
                    Optional.ofNullable(partition.owner()).map(MemberId::name)));
        }
        NeliSnapshot.Status status = engine.isFailing()
                ? NeliSnapshot.Status.FAILED
                : engine.isRunning() ? NeliSnapshot.Status.RUNNING : NeliSnapshot.Status.CONNECTING;
        return new NeliSnapshot(
                described.election().self().name(),
                described.groupId(),
                described.topic(),
                status,
                problem,
                state.candidacy().standsAt(engine.now().time()),
                members,
                partitions,
                engine.ignoredRecords());
    }
}
