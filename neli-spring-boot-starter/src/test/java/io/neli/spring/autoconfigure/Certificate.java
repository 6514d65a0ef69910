package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.neli.cluster.JavaProcess;

/**
 * A server's certificate, which vouches for itself.
 *
 * @param store with its key, of type PKCS12
 * @param file by itself, as PEM
 */
record Certificate(Path store, Path file, String password) {

    /** @param host of the server, such as {@code ip:127.0.0.1} or {@code dns:localhost} */
    static Certificate make(Path directory, String name, String password, String host) throws IOException {
        Path store = directory.resolve(name + ".p12");
        Path file = directory.resolve(name + ".pem");
        keytool("-genkeypair -alias key -keyalg EC -validity 2 -dname CN=" + name + " -ext san=" + host
                + " -storetype PKCS12 -storepass " + password + " -keystore " + store);
        keytool("-exportcert -rfc -alias key -storepass " + password + " -keystore " + store + " -file " + file);
        return new Certificate(store, file, password);
    }

    /** A file with its key, as PEM. */
    Path key() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            keys.load(content, password.toCharArray());
        }
        Key key = keys.getKey("key", password.toCharArray());
        String text = Base64.getMimeEncoder().encodeToString(key.getEncoded());
        return Files.writeString(
                store.resolveSibling(store.getFileName() + ".key"),
                "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    private static void keytool(String arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments.split(" ")));
        Process tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        JavaProcess.logDirectory().resolve("keytool.log").toFile())
                .start();
        try {
            if (!tool.waitFor(1, TimeUnit.MINUTES) || tool.exitValue() != 0) {
                tool.destroyForcibly();
                throw new IOException("keytool has failed, see " + JavaProcess.logDirectory());
            }
        } catch (InterruptedException e) {
            tool.destroyForcibly();
            throw new IOException(e);
        }
    }
}
