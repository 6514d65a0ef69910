package io.neli.spring.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.jayway.jsonpath.JsonPath;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.neli.spring.autoconfigure.Certificate;

/**
 * The part of the Kubernetes API that docs/routing.md uses: it lists the pods that have the leader's label, and patches
 * that label. Its directory is what Kubernetes mounts into a pod.
 */
final class StubKubernetes implements AutoCloseable {

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String PASSWORD = "changeit";

    /** All pods. */
    final Set<String> pods = ConcurrentHashMap.newKeySet();

    /** The pods with the label. */
    final Set<String> labelled = ConcurrentHashMap.newKeySet();

    final Path account;
    volatile boolean failing;
    private final HttpsServer server;

    private StubKubernetes(Path account, HttpsServer server) {
        this.account = account;
        this.server = server;
    }

    /** Starts a stub with a new certificate, which is also its {@code ca.crt}. */
    static StubKubernetes start(Path account) throws Exception {
        Certificate certificate = Certificate.make(account, "kubernetes", PASSWORD, "ip:127.0.0.1");
        Files.copy(certificate.file(), account.resolve("ca.crt"));
        Files.writeString(account.resolve("namespace"), "shop");
        Files.writeString(account.resolve("token"), "secret");

        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls(certificate.store())));
        StubKubernetes stub = new StubKubernetes(account, server);
        server.createContext("/", stub::answer);
        server.start();
        return stub;
    }

    private static SSLContext tls(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        return tls;
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean known = "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] body = {};
        int status;
        if (failing) {
            status = 500;
        } else if (!known) {
            status = 401;
        } else if (exchange.getRequestMethod().equals("GET")
                && path.equals(PODS)
                && "labelSelector=app=billing,leader=true"
                        .equals(exchange.getRequestURI().getQuery())) {
            status = 200;
            body = list().getBytes(StandardCharsets.UTF_8);
        } else if (exchange.getRequestMethod().equals("PATCH") && path.startsWith(PODS + "/")) {
            status = patch(path.substring(PODS.length() + 1), exchange);
        } else {
            status = 400;
        }
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String list() {
        List<String> items = labelled.stream()
                .map(pod -> "{\"metadata\": {\"name\": \"" + pod + "\", \"uid\": \"1\"}, \"spec\": {}}")
                .toList();
        return "{\"kind\": \"PodList\", \"items\": " + items + "}";
    }

    private int patch(String pod, HttpExchange exchange) throws IOException {
        if (!"application/merge-patch+json".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            return 415;
        }
        Map<String, Object> labels = JsonPath.parse(exchange.getRequestBody()).read("$.metadata.labels");
        if (!pods.contains(pod)) {
            labelled.remove(pod);
            return 404;
        }
        if (!labels.keySet().equals(Set.of("leader"))) {
            return 422;
        }
        if ("true".equals(labels.get("leader"))) {
            labelled.add(pod);
        } else if (labels.get("leader") == null) {
            labelled.remove(pod);
        } else {
            return 422;
        }
        return 200;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
