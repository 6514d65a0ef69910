package io.neli.sample.lab.view;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.neli.NeliSnapshot;
import io.neli.sample.lab.history.HistoryView;
import io.neli.sample.lab.history.LatestReport.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * The state of the lab at one moment.
 *
 * @param now in milliseconds of the epoch, like all times in the history
 * @param lease in milliseconds
 */
public record LabState(long now, long lease, List<Broker> brokers, List<InstanceState> instances, HistoryView history) {

    /**
     * A broker.
     *
     * @param refusals for each action why it is not possible now; null if it is
     */
    public record Broker(String name, String address, ProcessState process, Map<String, @Nullable String> refusals) {}

    public enum ProcessState {
        STARTING,
        RUNNING,
        FROZEN,
        STOPPING,
        DOWN
    }

    /**
     * An instance.
     *
     * @param problem what keeps it from working, in its own words
     * @param logs that decide the leadership, as it sees them; empty if unknown
     * @param refusals for each action why it is not possible now; null if it is
     */
    public record InstanceState(
            String name,
            @Nullable Long pid,
            ProcessState process,
            boolean cut,
            @Nullable String problem,
            Leadership leadership,
            List<NeliSnapshot.Log> logs,
            Map<String, @Nullable String> refusals) {

        boolean isConnected() {
            return process == ProcessState.RUNNING && !cut;
        }

        /** Whether it leads, as far as can be seen from outside. */
        boolean leads() {
            return process != ProcessState.FROZEN && process != ProcessState.DOWN && leadership.holdsLease();
        }
    }

    /** Whether a majority of the brokers is up. */
    boolean brokersAreUp() {
        long up = brokers.stream()
                .filter(each -> each.process() == ProcessState.RUNNING)
                .count();
        return 2 * up > brokers.size();
    }

    /** The leader. If two instances believe that they lead, it is the one with the larger token. */
    Optional<InstanceState> leader() {
        return instances.stream().filter(InstanceState::leads).max(Comparator.comparingLong(LabState::token));
    }

    static long token(InstanceState instance) {
        return Objects.requireNonNullElse(instance.leadership().token(), 0L);
    }
}
