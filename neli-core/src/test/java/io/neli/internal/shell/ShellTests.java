package io.neli.internal.shell;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.Mode;
import io.neli.NeliMetrics;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;

/** Settings for tests of the shell. */
final class ShellTests {

    static final ShellSettings SETTINGS = new ShellSettings(
            "member",
            "group",
            "group.neli",
            true,
            0,
            List.of(),
            new ElectionSettings(
                    Duration.ofSeconds(2),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(10),
                    new GroupConfig(Mode.EXCLUSIVE, 1, "none"),
                    Map.of()));

    private ShellTests() {}

    /** Effects that notify nobody. */
    static Effects effects() {
        return new Effects(
                event -> {},
                (partition, term) -> {},
                new NeliMetrics() {},
                () -> {},
                new IgnoredRecords(SETTINGS),
                new Problems("group"));
    }
}
