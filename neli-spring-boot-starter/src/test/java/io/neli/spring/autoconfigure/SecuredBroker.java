package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Properties;

import io.neli.cluster.BrokerProcess;
import io.neli.harness.Network;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * A broker for all tests of a JVM, secured as companies do it: SASL_SSL with SCRAM-SHA-512, and no access without
 * rights. User {@code billing} has no rights, and user {@code admin} has all.
 */
final class SecuredBroker {

    static final String PASSWORD = "broker-secret";

    private final int port = Network.freePort();
    private final BrokerProcess process;

    private SecuredBroker() {
        process = BrokerProcess.start(
                this::secure,
                "--add-scram",
                "SCRAM-SHA-512=[name=billing,password=" + PASSWORD + "]",
                "--add-scram",
                "SCRAM-SHA-512=[name=admin,password=" + PASSWORD + "]");
    }

    /** The broker of this JVM. */
    static SecuredBroker shared() {
        return Holder.BROKER;
    }

    private static final class Holder {

        static final SecuredBroker BROKER = new SecuredBroker();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(BROKER.process::close, "secured-broker-stop"));
        }
    }

    private void secure(Properties settings) {
        Path directory = Path.of(settings.getProperty("log.dirs")).getParent();
        try {
            Certificate.make(directory, "broker", PASSWORD, "ip:" + host());
            Certificate.make(directory, "other", PASSWORD, "ip:" + host());
            Properties admin = new Properties();
            admin.setProperty("security.protocol", "SASL_SSL");
            admin.setProperty("sasl.mechanism", "SCRAM-SHA-512");
            admin.setProperty("sasl.jaas.config", login("admin", PASSWORD));
            admin.setProperty("ssl.truststore.type", "PEM");
            admin.setProperty(
                    "ssl.truststore.location", directory.resolve("broker.pem").toString());
            store(admin, directory.resolve("admin.properties"));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        append(settings, "listeners", ",SECURED://" + host() + ":" + port);
        append(settings, "advertised.listeners", ",SECURED://" + host() + ":" + port);
        append(settings, "listener.security.protocol.map", ",SECURED:SASL_SSL");
        settings.setProperty("sasl.enabled.mechanisms", "SCRAM-SHA-512");
        settings.setProperty(
                "listener.name.secured.scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        settings.setProperty("ssl.keystore.type", "PKCS12");
        settings.setProperty(
                "ssl.keystore.location", directory.resolve("broker.p12").toString());
        settings.setProperty("ssl.keystore.password", PASSWORD);
        settings.setProperty("authorizer.class.name", StandardAuthorizer.class.getName());
        settings.setProperty("super.users", "User:admin;User:ANONYMOUS"); // other listeners: anonymous clients
    }

    private static void store(Properties properties, Path file) throws IOException {
        try (var writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }

    private static void append(Properties settings, String name, String more) {
        settings.setProperty(name, settings.getProperty(name) + more);
    }

    static String login(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user + "\" password=\""
                + password + "\";";
    }

    private static String host() {
        return "127.0.0.1";
    }

    /** The address of the listener that requires a name and a password. */
    String address() {
        return host() + ":" + port;
    }

    /** The address of a listener where everybody has all rights. */
    String openAddress() {
        return process.address();
    }

    /** The client properties of an administrator. */
    Path adminProperties() {
        return process.directory().resolve("admin.properties");
    }

    /** The broker's certificate. */
    Path certificate() {
        return process.directory().resolve("broker.pem");
    }

    /** A certificate that is not the broker's. */
    Path otherCertificate() {
        return process.directory().resolve("other.pem");
    }
}
