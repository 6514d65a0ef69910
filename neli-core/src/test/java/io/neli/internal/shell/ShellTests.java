package io.neli.internal.shell;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.neli.LeaderEvent;
import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.MemberId;

/** Settings for tests of the shell. */
public final class ShellTests {

    static final ShellSettings SETTINGS = settings(new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1));

    private ShellTests() {}

    static ShellSettings settings(GroupConfig groupConfig) {
        return settings("member", "group", true, Duration.ofSeconds(2), groupConfig);
    }

    public static ShellSettings settings(
            String name, String groupId, boolean candidate, Duration leaseDuration, GroupConfig groupConfig) {
        ElectionSettings election = new ElectionSettings(
                leaseDuration, Duration.ofMillis(100), Duration.ofSeconds(10), groupConfig, Map.of());
        return new ShellSettings(name, groupId, groupId + ".neli", candidate, 0, List.of(), election);
    }

    /** Effects that notify nobody. */
    static Effects effects() {
        return effects(event -> {}, SETTINGS, new Problems("group"));
    }

    /** Effects that report events and problems, and nothing else. */
    public static Effects effects(Consumer<LeaderEvent> events, ShellSettings settings, Problems problems) {
        return new Effects(events, (partition, term) -> {}, new MetricsReporter(List.of()), problems);
    }

    /** A driver that notifies nobody. */
    public static ElectionDriver driver(
            ShellSettings settings, MemberId self, Problems problems, Function<ElectionDriver, Logs> logs) {
        return new ElectionDriver(
                settings, () -> self, MemberClock.system(), effects(event -> {}, settings, problems), logs);
    }
}
