package io.neli.sample.instance.report;

import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(120)
class CommandsTest {

    @Test
    void it_resigns_on_command_ignores_other_lines_and_ends_with_its_input() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        PipedInputStream in = new PipedInputStream();
        OutputStream out = new PipedOutputStream(in);
        try (FakeNeli neli = FakeNeli.leading()) {
            new Commands(in, neli, ended::countDown).start();

            out.write("dance\nresign\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            await().atMost(Duration.ofMinutes(1)).until(() -> !neli.isLeader());
            assertThat(ended.getCount()).isOne();

            out.close();
            ended.await();
        }
    }
}
