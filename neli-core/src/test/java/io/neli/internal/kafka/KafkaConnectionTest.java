package io.neli.internal.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaConnectionTest {

    /** Real clients, except that the administrator's client fails when it is used. */
    private static final class FailingAdmin extends KafkaClients {

        final List<Duration> closeLimits = new CopyOnWriteArrayList<>();

        FailingAdmin(KafkaSettings settings) {
            super(settings);
        }

        @Override
        Admin admin() {
            Admin admin = super.admin();
            return (Admin) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("describeTopics")) {
                            throw new NoClassDefFoundError("meant to fail");
                        }
                        if (method.getName().equals("close") && arguments != null) {
                            closeLimits.add((Duration) arguments[0]);
                        }
                        try {
                            return method.invoke(admin, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    /** For the administrator's client, a limit of zero means none: it joins its thread for as long as that takes. */
    @Test
    void the_administrators_client_is_closed_with_a_limit_also_after_an_error() {
        KafkaSettings settings = Settings.offline(Map.of());
        FailingAdmin clients = new FailingAdmin(settings);
        assertThatThrownBy(() -> OpenLogs.connectOnce(settings, clients)).isInstanceOf(NoClassDefFoundError.class);

        assertThat(clients.closeLimits).hasSize(1).allMatch(limit -> limit.compareTo(Duration.ZERO) > 0);
    }
}
