package io.neli.spring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

import io.nats.client.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class ElectionClientOptionsTest {

    private static final Map<String, String> SERVERS = Map.of("neli.nats.servers", "nats://one:4222, two:4223");

    @TempDir
    private Path directory;

    @Test
    void servers_are_all_that_is_needed() {
        Options options = options(Map.of());

        assertThat(options.getServers()).map(Object::toString).isEqualTo(List.of("nats://one:4222", "nats://two:4223"));
        assertThat(options.getAuthHandler()).isNull();
        assertThat(options.getUsernameChars()).isNull();
        assertThat(options.getTokenChars()).isNull();
        assertThat(options.getSslContext()).isNull();
    }

    @Test
    void a_user_has_a_name_and_a_password() {
        Options options = options(Map.of("neli.nats.username", "billing", "neli.nats.password", "secret"));

        assertThat(options.getUsernameChars()).containsExactly("billing".toCharArray());
        assertThat(options.getPasswordChars()).containsExactly("secret".toCharArray());
    }

    @Test
    void a_token_is_passed_on() {
        assertThat(options(Map.of("neli.nats.token", "secret")).getTokenChars())
                .containsExactly("secret".toCharArray());
    }

    @Test
    void a_credentials_file_is_given_as_a_path_or_as_a_url() throws Exception {
        Path file = Files.writeString(directory.resolve("billing.creds"), "");

        assertThat(options(Map.of("neli.nats.credentials", file.toString())).getAuthHandler())
                .isNotNull();
        assertThat(options(Map.of("neli.nats.credentials", file.toUri().toString()))
                        .getAuthHandler())
                .isNotNull();
    }

    @Test
    void what_is_empty_is_not_set() {
        Options options = options(Map.of(
                "neli.nats.credentials",
                "",
                "neli.nats.username",
                "",
                "neli.nats.password",
                "",
                "neli.nats.token",
                "",
                "neli.nats.ssl.bundle",
                ""));

        assertThat(options.getAuthHandler()).isNull();
        assertThat(options.getUsernameChars()).isNull();
        assertThat(options.getTokenChars()).isNull();
        assertThat(options.getSslContext()).isNull();
    }

    @Test
    void a_bundle_encrypts_the_connection() throws NoSuchAlgorithmException {
        SSLContext context = SSLContext.getDefault();
        SslBundle bundle = mock(SslBundle.class);
        when(bundle.createSslContext()).thenReturn(context);

        Options options = ElectionClientOptions.of(
                properties(Map.of("neli.nats.ssl.bundle", "own")), new DefaultSslBundleRegistry("own", bundle));

        assertThat(options.getSslContext()).isSameAs(context);
        assertThat(options.isTLSRequired()).isTrue();
    }

    private static Options options(Map<String, String> more) {
        return ElectionClientOptions.of(properties(more), null);
    }

    private static NeliProperties properties(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(SERVERS);
        all.putAll(more);
        return NeliBuilderConfigurerTest.bound(all);
    }
}
