package io.neli.nats;

import java.net.Socket;
import javax.net.ssl.SSLSocket;

import io.nats.client.Options;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VerifiedTlsTest {

    @Test
    void each_socket_of_a_client_with_tls_verifies_the_name_of_its_server() throws Exception {
        Options options =
                VerifiedTls.of(Options.builder().server("tls://localhost:4222").build());

        try (Socket socket = options.getSslContext().getSocketFactory().createSocket()) {
            assertThat(((SSLSocket) socket).getSSLParameters().getEndpointIdentificationAlgorithm())
                    .isEqualTo("HTTPS");
        }
        assertThat(options.isNoResolveHostnames()).isTrue();
        assertThat(options.getServers()).hasToString("[tls://localhost:4222]");
    }

    @Test
    void a_client_without_tls_and_one_that_wants_no_verification_stay_as_they_are() {
        Options plain = Options.builder().server("nats://localhost:4222").build();
        Options open = Options.builder().server("opentls://localhost:4222").build();

        assertThat(VerifiedTls.of(plain)).isSameAs(plain);
        assertThat(VerifiedTls.of(open)).isSameAs(open);
    }
}
