package io.neli.nats;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class StreamCheckTest {

    private static StreamConfiguration replicas(int number) {
        return StreamConfiguration.builder().name("stream").replicas(number).build();
    }

    @Test
    void fewer_replicas_than_the_cluster_allows_are_logged_once() {
        Logger logger = (Logger) LoggerFactory.getLogger(StreamCheck.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try {
            StreamCheck check = new StreamCheck("this stream", "this test");
            check.warnOfFewReplicas(replicas(1), 1);
            check.warnOfFewReplicas(replicas(3), 3);
            assertThat(logged.list).isEmpty();
            check.warnOfFewReplicas(replicas(1), 3);
            check.warnOfFewReplicas(replicas(1), 3);
            assertThat(logged.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("this stream: it has 1 replicas on 3 servers, so the crash of one may stop this"
                            + " test; give it three");
        } finally {
            logger.detachAppender(logged);
        }
    }
}
