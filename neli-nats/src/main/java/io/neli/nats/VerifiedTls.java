package io.neli.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import io.nats.client.Options;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a certificate has the server's name. The client alone accepts the certificate of any trusted server.
 */
final class VerifiedTls extends SSLContextSpi {

    /** The scheme with which an application asks for TLS without verification. */
    private static final String OPEN = "opentls";

    private final SSLContext context;

    private VerifiedTls(SSLContext context) {
        this.context = context;
    }

    /** Returns options whose TLS verifies the server's name, or the given options if they have no TLS. */
    static Options of(Options given) {
        SSLContext context = given.getSslContext();
        boolean open = given.getServers().stream().anyMatch(server -> OPEN.equals(server.getScheme()));
        if (context == null || open) {
            return given;
        }
        return new Options.Builder(given)
                .sslContext(new SSLContext(new VerifiedTls(context), context.getProvider(), context.getProtocol()) {})
                .noResolveHostnames() // the certificate has the name, not the address
                .build();
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return new Sockets(context.getSocketFactory());
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return context.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return context.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return context.getClientSessionContext();
    }

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random) {
        throw new IllegalStateException("initialized already");
    }

    private static final class Sockets extends SSLSocketFactory {

        private final SSLSocketFactory factory;

        Sockets(SSLSocketFactory factory) {
            this.factory = factory;
        }

        private static Socket verifying(Socket socket) {
            if (socket instanceof SSLSocket secure) {
                SSLParameters parameters = secure.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secure.setSSLParameters(parameters);
            }
            return socket;
        }

        @Override
        public Socket createSocket(Socket plain, String host, int port, boolean autoClose) throws IOException {
            return verifying(factory.createSocket(plain, host, port, autoClose));
        }

        @Override
        public Socket createSocket() throws IOException {
            return verifying(factory.createSocket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return verifying(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return verifying(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return verifying(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return verifying(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }
}
