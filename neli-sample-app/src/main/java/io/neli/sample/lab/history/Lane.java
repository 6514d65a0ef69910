package io.neli.sample.lab.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.State;
import org.jspecify.annotations.Nullable;

/**
 * Where one instance stands with each role, by what it told last. Its leases run on by the lab's clock, so those of a
 * process that is frozen run out as they do in truth. Confined to one thread.
 */
public final class Lane {

    private static final long FENCED_SHOWN = 5000;

    private final List<String> roles;
    private final Map<String, Observation.Fenced> fenced = new HashMap<>();

    private @Nullable Snapshot snapshot;
    private long snapshotAt;

    public Lane(List<String> roles) {
        this.roles = List.copyOf(roles);
    }

    public void told(Snapshot latest, long at) {
        snapshot = latest;
        snapshotAt = at;
    }

    public void fenced(Observation.Fenced event) {
        fenced.put(event.role(), event);
    }

    /** The process is gone. */
    public void clear() {
        snapshot = null;
        fenced.clear();
    }

    public @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /** Whether it leads that role by what it told last. */
    public boolean leads(String role) {
        Snapshot.Partition partition = partition(role);
        return partition != null && partition.state() == State.LEADING;
    }

    public List<RoleState> roles(long now) {
        return roles.stream().map(role -> role(role, now)).toList();
    }

    private RoleState role(String role, long now) {
        Snapshot.Partition partition = partition(role);
        if (partition == null) {
            return RoleState.none(role);
        }
        Observation.Fenced end = fenced.get(role);
        boolean endedSince = end != null && end.at() >= snapshotAt;
        if (end != null
                && now - end.at() < FENCED_SHOWN
                && (endedSince || !partition.state().hasTerm())) {
            return new RoleState(role, State.FENCED, end.token(), null);
        }
        State state = partition.state();
        long leaseLeft = Math.max(0, partition.leaseLeft() - (now - snapshotAt));
        return new RoleState(
                role, state, state.hasTerm() ? partition.token() : null, state.hasLease() ? leaseLeft : null);
    }

    private Snapshot.@Nullable Partition partition(String role) {
        if (snapshot == null) {
            return null;
        }
        return snapshot.partitions().stream()
                .filter(partition -> partition.roles().contains(role))
                .findFirst()
                .orElse(null);
    }
}
