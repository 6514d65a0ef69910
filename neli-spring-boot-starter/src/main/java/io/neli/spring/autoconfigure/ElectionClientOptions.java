package io.neli.spring.autoconfigure;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.nats.client.Options;
import io.nats.client.support.NatsUri;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** Creates the client options of an election on NATS from {@code neli.nats.*}. */
final class ElectionClientOptions {

    private static final String SERVERS = NatsChoice.SERVERS;
    private static final Pattern USER = Pattern.compile("^(\\w+://)?.*@");

    private ElectionClientOptions() {}

    static Options of(NeliProperties properties, @Nullable SslBundles bundles) {
        Options.Builder options = Options.builder();
        NeliProperties.Nats nats = properties.nats();
        List<String> servers = nats.servers() == null ? List.of() : nats.servers();
        NatsChoice.verifyNotOnKafka(properties.kafka(), verified(servers));
        servers.forEach(server -> options.server(address(server)));
        verifyIdentity(nats);
        PropertyMapper map = PropertyMapper.get(); // ignores null
        map.from(nats.credentials()).as(ElectionClientOptions::readable).to(options::credentialPath);
        map.from(nats.username()).whenHasText().to(name -> options.userInfo(name, nats.password()));
        map.from(nats.token()).whenHasText().as(String::toCharArray).to(options::token);
        map.from(nats.ssl().bundle())
                .whenHasText()
                .as(bundle -> NamedSslBundle.find(bundles, "neli.nats.ssl.bundle", bundle))
                .as(SslBundle::createSslContext)
                .to(options::sslContext);
        return options.build();
    }

    /** Checks the servers, and returns them for messages, with users and tokens masked. */
    private static String verified(List<String> servers) {
        String shown = servers.stream()
                .map(server -> USER.matcher(server).replaceFirst("$1***@"))
                .collect(Collectors.joining(","));
        if (servers.isEmpty() || !servers.stream().allMatch(StringUtils::hasText)) {
            throw new NeliException(
                    SERVERS + " is '" + shown + "': the address of a server is blank",
                    "set it to addresses such as nats://host:4222, or remove it for an election on Kafka");
        }
        if (servers.stream().anyMatch(server -> USER.matcher(server).find())) {
            throw new NeliException(
                    SERVERS + " is '" + shown + "': an address has a user or a token in it, and addresses are logged",
                    "set neli.nats.username and neli.nats.password, or neli.nats.token");
        }
        return shown;
    }

    private static String address(String server) {
        try {
            return new NatsUri(server.trim()).toString();
        } catch (URISyntaxException e) {
            throw new NeliException(
                    SERVERS + " contains '" + server + "', which is not an address: " + e.getReason(),
                    "use addresses such as nats://host:4222 or tls://host:4222");
        }
    }

    private static void verifyIdentity(NeliProperties.Nats nats) {
        List<String> identities = new ArrayList<>();
        PropertyMapper map = PropertyMapper.get();
        map.from(nats.credentials()).to(set -> identities.add("neli.nats.credentials"));
        map.from(nats.username()).whenHasText().to(set -> identities.add("neli.nats.username"));
        map.from(nats.token()).whenHasText().to(set -> identities.add("neli.nats.token"));
        if (identities.size() > 1) {
            throw new NeliException(
                    String.join(" and ", identities) + " are set, of which the client can use one",
                    "keep the one that the servers are configured for");
        }
        boolean password = StringUtils.hasText(nats.password());
        if (StringUtils.hasText(nats.username()) != password) {
            throw new NeliException(
                    "neli.nats.username is '" + nats.username() + "', and neli.nats.password is "
                            + (password ? "set" : "not set"),
                    "set both or neither");
        }
    }

    private static String readable(Path credentials) {
        if (!Files.isRegularFile(credentials) || !Files.isReadable(credentials)) {
            throw new NeliException(
                    "neli.nats.credentials is '" + credentials + "': there is no such file that this process can read",
                    "set it to the .creds file of this application's user");
        }
        return credentials.toString();
    }
}
