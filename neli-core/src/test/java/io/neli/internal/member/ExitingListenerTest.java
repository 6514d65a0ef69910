package io.neli.internal.member;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.cluster.JavaProcess;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

class ExitingListenerTest {

    @Test
    void a_listener_that_exits_has_not_prepared_although_the_others_are_notified() throws Exception {
        JavaProcess process = JavaProcess.start("exiting-listener.log", "-Xmx64m", Exiting.class);
        try {
            assertThat(process.io().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
            assertThat(new String(process.io().getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactly("notified", "all have returned: false");
        } finally {
            process.destroy();
        }
    }

    static final class Exiting {

        private Exiting() {}

        public static void main(String[] args) throws InterruptedException {
            WorkLimit noLimit = new WorkLimit(null, null, Duration.ofSeconds(1), "unused", () -> {});
            EventThread events = new EventThread(
                    "events",
                    "group",
                    List.of(event -> System.exit(3), event -> System.out.println("notified")),
                    noLimit);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                events.passExiting();
                events.close();
            }));
            events.keepThread();
            events.notify(
                    List.of(new LeaderAcquired("invoices", 0, 1)),
                    thrown -> System.out.println("all have returned: " + thrown.isEmpty()));
            events.awaitEnd();
        }
    }
}
