package io.neli.internal.shell;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.NeliMetrics;
import io.neli.internal.election.Action;
import io.neli.internal.election.Election.PartitionAction;
import io.neli.internal.election.LogRecord;

/** Counts bids and takeovers, each once, although a partition is bid for and claimed on each of its logs. */
final class RecordMetrics {

    private final NeliMetrics metrics;

    /** By partition, the token of the last claim that was counted. */
    private final Map<Integer, Long> claims = new HashMap<>();

    RecordMetrics(NeliMetrics metrics) {
        this.metrics = metrics;
    }

    /** The bids of one step. */
    void countBids(List<PartitionAction> actions) {
        actions.stream()
                .filter(each ->
                        each.action() instanceof Action.Append append && append.content() instanceof LogRecord.Bid)
                .mapToInt(PartitionAction::partition)
                .distinct()
                .forEach(metrics::bidSent);
    }

    /** A claim that takes a partition over from another member. */
    void countTakeover(int partition, LogRecord.Claim claim) {
        long token = claim.sender().token();
        if (!Long.valueOf(token).equals(claims.put(partition, token))) {
            metrics.takenOver(partition);
        }
    }
}
