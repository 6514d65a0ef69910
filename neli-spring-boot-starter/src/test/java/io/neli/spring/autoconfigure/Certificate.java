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
 * A self-signed certificate of a server.
 *
 * @param store the certificate with its key, as PKCS12
 * @param file the certificate alone, as PEM
 */
public record Certificate(Path store, Path file, String password) {

    /** @param host the server's host, such as {@code ip:127.0.0.1} or {@code dns:localhost} */
    public static Certificate make(Path directory, String name, String password, String host)
            throws IOException, GeneralSecurityException {
        Path store = directory.resolve(name + ".p12");
        keytool("-genkeypair -alias key -keyalg EC -validity 2 -dname CN=" + name + " -ext san=" + host
                + " -storetype PKCS12 -storepass " + password + " -keystore " + store);
        byte[] content = keys(store, password).getCertificate("key").getEncoded();
        return new Certificate(store, pem(directory.resolve(name + ".pem"), "CERTIFICATE", content), password);
    }

    /** A new file with the certificate's key, as PEM. */
    Path key() throws IOException, GeneralSecurityException {
        Key key = keys(store, password).getKey("key", password.toCharArray());
        return pem(store.resolveSibling(store.getFileName() + ".key"), "PRIVATE KEY", key.getEncoded());
    }

    private static KeyStore keys(Path store, String password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            keys.load(content, password.toCharArray());
        }
        return keys;
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static void keytool(String arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1"); // a faster start
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
