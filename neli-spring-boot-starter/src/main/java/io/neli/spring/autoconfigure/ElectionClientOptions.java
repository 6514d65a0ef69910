package io.neli.spring.autoconfigure;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.nats.client.Options;
import io.nats.client.support.NatsUri;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/** How the election's client reaches NATS. */
final class ElectionClientOptions {

    private static final String CREDENTIALS = "neli.nats.credentials";
    private static final String USERNAME = "neli.nats.username";
    private static final String PASSWORD = "neli.nats.password";
    private static final String TOKEN = "neli.nats.token";

    private ElectionClientOptions() {}

    static Options of(NeliNatsConnectionDetails details) {
        Options.Builder options = Options.builder();
        details.getServers().forEach(server -> options.server(checked(server)));
        identify(options, details);
        SslBundle bundle = details.getSslBundle();
        if (bundle != null) {
            options.sslContext(bundle.createSslContext());
        }
        return options.build();
    }

    private static String checked(String server) {
        try {
            return new NatsUri(server.trim()).toString();
        } catch (URISyntaxException e) {
            throw new NeliException(
                    NatsChoice.SERVERS + " contains '" + server + "', which is not an address: " + e.getReason(),
                    "use addresses such as nats://host:4222 or tls://host:4222");
        }
    }

    private static void identify(Options.Builder options, NeliNatsConnectionDetails details) {
        Path credentials = details.getCredentials();
        String username = details.getUsername();
        String password = details.getPassword();
        String token = details.getToken();
        refuseSeveral(credentials, username, token);
        if (StringUtils.hasLength(username) != StringUtils.hasLength(password)) {
            throw StringUtils.hasLength(username)
                    ? new NeliException(
                            USERNAME + " is '" + username + "', and " + PASSWORD + " is not set", "set both or neither")
                    : new NeliException(PASSWORD + " is set, and " + USERNAME + " is not", "set both or neither");
        }
        if (credentials != null) {
            options.credentialPath(readable(credentials).toString());
        }
        if (StringUtils.hasLength(username) && StringUtils.hasLength(password)) {
            options.userInfo(username.toCharArray(), password.toCharArray());
        }
        if (StringUtils.hasLength(token)) {
            options.token(token.toCharArray());
        }
    }

    private static void refuseSeveral(@Nullable Path credentials, @Nullable String username, @Nullable String token) {
        List<String> set = new ArrayList<>();
        if (credentials != null) {
            set.add(CREDENTIALS);
        }
        if (StringUtils.hasLength(username)) {
            set.add(USERNAME);
        }
        if (StringUtils.hasLength(token)) {
            set.add(TOKEN);
        }
        if (set.size() > 1) {
            throw new NeliException(
                    String.join(" and ", set) + " are set, of which the client can use one",
                    "keep the one that the servers are configured for");
        }
    }

    private static Path readable(Path credentials) {
        if (!Files.isRegularFile(credentials) || !Files.isReadable(credentials)) {
            throw new NeliException(
                    CREDENTIALS + " is '" + credentials + "': there is no such file that this process can read",
                    "set it to the .creds file of this application's user");
        }
        return credentials;
    }
}
