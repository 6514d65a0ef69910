package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.common.TopicCollection;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaConnectionTest {

    private final KafkaSettings settings = Settings.offline(Map.of());
    private final List<Duration> closeLimits = new CopyOnWriteArrayList<>();

    private final KafkaClients clients = new KafkaClients(settings) {
        @Override
        Admin admin() {
            return new ForwardingAdmin(new ClientProperties(settings).admin()) {
                @Override
                public DescribeTopicsResult describeTopics(TopicCollection topics, DescribeTopicsOptions options) {
                    throw new NoClassDefFoundError("meant to fail");
                }

                @Override
                public void close(Duration limit) {
                    closeLimits.add(limit);
                    super.close(limit);
                }
            };
        }
    };

    /** For the administrator's client, a limit of zero means none: it joins its thread for as long as that takes. */
    @Test
    void the_administrators_client_is_closed_with_a_limit_also_after_an_error() {
        assertThatThrownBy(() -> OpenLogs.connectOnce(settings, clients)).isInstanceOf(NoClassDefFoundError.class);
        assertThat(closeLimits).hasSize(1).allMatch(limit -> limit.compareTo(Duration.ZERO) > 0);
    }
}
