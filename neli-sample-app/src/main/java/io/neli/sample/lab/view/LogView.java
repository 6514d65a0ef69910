package io.neli.sample.lab.view;

import java.util.List;

import io.neli.NeliSnapshot.Log;
import io.neli.sample.lab.view.LabState.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of one of the logs that decide the leadership.
 *
 * @param icon of its state
 * @param held whether the leader holds it
 * @param text the state in words
 */
record LogView(String topic, String icon, boolean held, String text) {

    /**
     * The logs as the leader sees them, or another instance if nobody leads. Empty if only one, or none, is reported.
     */
    static List<LogView> of(LabState lab) {
        return lab.leader()
                .or(() -> lab.instances().stream()
                        .filter(each -> each.isConnected() && !each.logs().isEmpty())
                        .findFirst())
                .filter(viewer -> viewer.logs().size() > 1)
                .map(viewer ->
                        viewer.logs().stream().map(log -> of(log, viewer)).toList())
                .orElse(List.of());
    }

    private static LogView of(Log log, InstanceState viewer) {
        boolean held = log.held() && viewer.leads();
        String holder = log.held() ? viewer.name() : log.holder().orElse(null);
        String icon = log.readable() ? held ? "leading" : "standby" : "down";
        return new LogView(log.topic(), icon, held, text(holder, log.readable()));
    }

    private static String text(@Nullable String holder, boolean readable) {
        if (holder == null) {
            return readable ? "not held" : "not readable";
        }
        return "held by " + holder + (readable ? "" : ", not readable");
    }
}
