package io.neli.nats;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.nats.client.Options;
import io.neli.harness.Network;
import io.neli.internal.election.MemberId;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellTests;
import io.neli.internal.shell.UnusableLogException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Neither the log nor a problem contains a password from an address. */
class PasswordsTest {

    @Test
    void a_server_that_cannot_be_reached_is_named_without_the_password_of_its_address() {
        String server = "nats://billing:hidden@127.0.0.1:" + Network.freePort();
        NatsProvider provider =
                new NatsProvider(Options.builder().server(server).build());
        assertThat(provider.servers()).startsWith("nats://127.0.0.1");
        Creation creation = new Creation(true, null, Duration.ofHours(1));
        Problems problems = new Problems("group");
        List<Logs> created = new ArrayList<>();
        ShellTests.driver(LeaderStreamTest.SETTINGS, new MemberId("member", new UUID(0, 1)), problems, driver -> {
            created.add(provider.logs(LeaderStreamTest.SETTINGS, creation, driver, problems));
            return created.get(0);
        });
        Logs logs = created.get(0);
        RunStore runs = provider.runStore(LeaderStreamTest.SETTINGS, creation);

        Throwable failure = catchThrowable(() -> logs.connect());
        Throwable ofRuns = catchThrowable(() -> runs.prepare());
        Throwable ofHistory = catchThrowable(() -> provider.history(LeaderStreamTest.SETTINGS, 0, 0));

        assertThat(failure).isInstanceOf(IOException.class);
        assertHidden(failure, logs.describe(failure));
        assertHidden(ofRuns, runs.describe(ofRuns));
        assertHidden(ofHistory, ((UnusableLogException) ofHistory).problem());
    }

    private static void assertHidden(Throwable failure, Problem described) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).contains("127.0.0.1").doesNotContain("hidden");
        assertThat(described.text()).contains("127.0.0.1").doesNotContain("hidden");
    }
}
