package io.neli.nats;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.PersistMode;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings of streams that the servers of the tests need not support. */
class LeaderStreamTest {

    static final ShellSettings SETTINGS = new ShellSettings(
            "member",
            "group",
            "stream",
            true,
            0,
            List.of(),
            new ElectionSettings(
                    Duration.ofSeconds(2),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(10),
                    new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1),
                    Map.of()));

    private final LeaderStream stream = new LeaderStream(SETTINGS, new Creation(true, null, Duration.ofHours(1)));

    private static StreamConfiguration with(UnaryOperator<StreamConfiguration.Builder> change) {
        return change.apply(StreamConfiguration.builder()
                        .name("stream")
                        .subjects("neli.stream.>")
                        .storageType(StorageType.File))
                .build();
    }

    private void assertRefused(StreamConfiguration configuration, String... words) {
        assertThatThrownBy(() -> stream.check(configuration))
                .isInstanceOf(UnusableLogException.class)
                .hasMessageContaining("neli.topic.name is 'stream'")
                .hasMessageContainingAll(words);
    }

    @Test
    void a_stream_that_acknowledges_what_is_not_written_yet_is_refused() {
        assertRefused(with(each -> each.persistMode(PersistMode.Async)), "persist_mode is async", "the default");
        assertThatCode(() -> stream.check(with(each -> each.persistMode(PersistMode.Default))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_stream_that_stores_messages_under_other_subjects_is_refused() {
        assertRefused(
                with(each -> each.subjectTransform(new SubjectTransform("neli.stream.>", "other.>"))),
                "subject_transform",
                "other.>");
    }

    @Test
    void a_stream_that_can_no_longer_be_written_is_refused() {
        // as the server describes one
        assertRefused(with(each -> each.discardPolicy(DiscardPolicy.New).seal()), "sealed");
    }
}
