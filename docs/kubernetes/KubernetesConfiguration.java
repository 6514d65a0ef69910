package com.example.billing;

import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

@Configuration(proxyBeanMethods = false)
class KubernetesConfiguration {

    @Bean
    RestClient kubernetes(
            SslBundles bundles,
            @Value("${kubernetes.api:https://kubernetes.default.svc}") String api,
            @Value("${kubernetes.account:/var/run/secrets/kubernetes.io/serviceaccount}") Path account)
            throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(bundles.getBundle("kubernetes").createSslContext())
                .connectTimeout(Duration.ofSeconds(2))
                .build();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(client);
        // Work begins, and a handover ends, when the listeners have returned.
        requests.setReadTimeout(Duration.ofSeconds(2));
        return RestClient.builder()
                .requestFactory(requests)
                .baseUrl(api + "/api/v1/namespaces/" + Files.readString(account.resolve("namespace")))
                .requestInterceptor((request, body, execution) -> {
                    request.getHeaders().setBearerAuth(Files.readString(account.resolve("token"))); // it is renewed
                    return execution.execute(request, body);
                })
                .build();
    }
}
