package io.neli.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import io.neli.Neli;
import io.neli.nats.NatsServer;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A NATS server that accepts TLS only. */
@Needs(Program.NATS_SERVER)
class NatsTlsIT {

    @TempDir
    private Path directory;

    @Test
    void a_server_is_trusted_by_the_bundle_and_by_no_other() throws Exception {
        Certificate certificate = Certificate.make(directory, "server", "secret", "ip:127.0.0.1");
        Certificate other = Certificate.make(directory, "other", "secret", "ip:127.0.0.1");
        try (NatsServer server = start(certificate)) {
            application(server.url(), certificate).run(context -> awaitLeadership(context.getBean(Neli.class)));
            application(server.url(), other).run(context -> assertIsRefused(context.getBean(Neli.class)));
        }
    }

    @Test
    void a_trusted_certificate_is_for_the_name_that_is_in_it_and_for_no_address() throws Exception {
        Certificate named = Certificate.make(directory, "named", "secret", "dns:localhost");
        try (NatsServer server = start(named)) {
            application(server.url(), named).run(context -> assertIsRefused(context.getBean(Neli.class)));
            application(server.url().replace("tls://127.0.0.1", "nats://localhost"), named)
                    .run(context -> awaitLeadership(context.getBean(Neli.class)));
        }
    }

    private static void awaitLeadership(Neli neli) {
        await().atMost(Duration.ofMinutes(1)).until(neli::isLeader);
    }

    private static void assertIsRefused(Neli neli) {
        await().atMost(Duration.ofMinutes(1)).until(() -> neli.isLeader() || isForTheCertificate(neli));
        assertThat(neli.isLeader()).isFalse();
    }

    private static boolean isForTheCertificate(Neli neli) {
        return neli.snapshot()
                .problem()
                .filter(problem -> problem.contains("neli.nats.servers is '"))
                .filter(problem ->
                        problem.contains("check the address, the network, the servers and, with TLS, the certificates"))
                .filter(problem -> Stream.of("PKIX", "subject alternative", "No name matching")
                        .anyMatch(problem::contains))
                .isPresent();
    }

    private static NatsServer start(Certificate certificate) throws Exception {
        return NatsServer.start(
                "--tls",
                "--tlscert",
                certificate.file().toString(),
                "--tlskey",
                certificate.key().toString());
    }

    private static ApplicationContextRunner application(String url, Certificate trusted) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, NeliAutoConfiguration.class))
                .withPropertyValues(
                        "neli.group-id=billing",
                        "neli.nats.servers=" + url,
                        "neli.nats.ssl.bundle=own",
                        "spring.ssl.bundle.pem.own.truststore.certificate="
                                + trusted.file().toUri());
    }
}
