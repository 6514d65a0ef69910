package io.neli.sample.instance;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

import kafka.server.KafkaConfig;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Checks that the parts of {@code compose.yaml} fit each other and this version of the sample. Starts nothing. */
class ComposeTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> INSTANCES = Set.of("alice", "bob", "carol");
    private static final JsonMapper JSON = new JsonMapper();

    private final JsonNode services = yaml(ROOT.resolve("compose.yaml")).get("services");

    @Test
    void what_is_mounted_is_there() {
        for (JsonNode service : services) {
            for (JsonNode volume : service.path("volumes")) {
                Path source = ROOT.resolve(
                                volume.isString()
                                        ? volume.asString().split(":")[0]
                                        : volume.get("source").asString())
                        .normalize();
                if (source.equals(Instance.JAR)) {
                    assertThat(volume.at("/bind/create_host_path").asBoolean(true))
                            .as("a missing jar becomes a directory")
                            .isFalse();
                } else {
                    assertThat(source).exists();
                }
            }
        }
        for (String instance : INSTANCES) {
            assertThat(services.get(instance).at("/volumes/0/target"))
                    .isEqualTo(services.get(instance).at("/command/4"));
        }
    }

    @Test
    void nothing_is_published_but_on_the_loopback_interface() {
        for (JsonNode service : services) {
            for (JsonNode port : service.path("ports")) {
                assertThat(port.asString()).startsWith("127.0.0.1:");
            }
        }
    }

    @Test
    void kafka_has_the_version_of_the_clients() {
        assumeThat(SpringBootVersion.getVersion())
                .as("the oldest line of Spring Boot brings older clients")
                .doesNotStartWith("4.0.");
        assertThat(services.at("/kafka/image").asString()).isEqualTo("apache/kafka:" + AppInfoParser.getVersion());
    }

    @Test
    void kafka_takes_its_settings() {
        JsonNode kafka = services.get("kafka");
        // Builds server.properties from the environment, as the image does.
        Properties settings = new Properties();
        kafka.get("environment").properties().stream()
                .filter(variable -> variable.getKey().startsWith("KAFKA_"))
                .forEach(variable -> settings.setProperty(
                        variable.getKey()
                                .substring("KAFKA_".length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '.'),
                        variable.getValue().asString()));
        assertThat(KafkaConfig.configDef().names()).containsAll(settings.stringPropertyNames());
        assertThat(new KafkaConfig(settings).nodeId()).isOne();
    }

    @Test
    void each_instance_is_configured_by_properties_that_there_are() throws IOException {
        Set<String> known = environmentVariables();
        for (String instance : INSTANCES) {
            JsonNode environment = services.get(instance).get("environment");
            assertThat(known).containsAll(environment.propertyNames());
            assertThat(environment.get("NELI_NAME").asString()).isEqualTo(instance);
            assertThat(services.get("kafka")
                            .at("/environment/KAFKA_ADVERTISED_LISTENERS")
                            .asString()
                            .split(","))
                    .contains("PLAINTEXT://"
                            + environment.get("SPRING_KAFKA_BOOTSTRAPSERVERS").asString());
            assertThat(services.get(instance).at("/ports/0").asString())
                    .endsWith(":" + environment.get("SERVER_PORT").asString());
        }
    }

    @Test
    void prometheus_scrapes_the_instances() {
        JsonNode scrape =
                yaml(ROOT.resolve("neli-sample-app/compose/prometheus.yml")).at("/scrape_configs/0");
        assertThat(scrape.at("/static_configs/0/targets").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(INSTANCES.stream()
                        .map(instance -> instance + ":"
                                + services.get(instance)
                                        .at("/environment/SERVER_PORT")
                                        .asString())
                        .toList());
        String exposed = yaml(Path.of("src/main/resources/application.yml"))
                .at("/management/endpoints.web.exposure.include")
                .asString();
        assertThat(scrape.get("metrics_path").asString()).isEqualTo("/actuator/prometheus");
        assertThat(exposed).contains("prometheus");
    }

    @Test
    void grafana_has_the_dashboard_and_its_data_source() {
        JsonNode source = yaml(ROOT.resolve("neli-sample-app/compose/grafana/datasources/prometheus.yml"))
                .at("/datasources/0");
        JsonNode dashboard = JSON.readTree(ROOT.resolve("docs/grafana/neli.json"));
        JsonNode choice = dashboard.at("/templating/list/0");
        assertThat(choice.get("type").asString()).isEqualTo("datasource");
        assertThat(source.get("type")).isEqualTo(choice.get("query"));
        assertThat(source.get("isDefault").asBoolean()).isTrue();
        assertThat(source.get("url").asString())
                .isEqualTo("http://prometheus:"
                        + services.at("/prometheus/ports/0").asString().split(":")[2]);

        String directory = yaml(ROOT.resolve("neli-sample-app/compose/grafana/dashboards/neli.yml"))
                .at("/providers/0/options/path")
                .asString();
        List<String> mounts = services.at("/grafana/volumes")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        assertThat(mounts).contains("./docs/grafana:" + directory + ":ro");
        assertThat(services.at("/grafana/environment/GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH")
                        .asString())
                .isEqualTo(directory + "/neli.json");
    }

    /** The environment variable of each property that has metadata. */
    private static Set<String> environmentVariables() throws IOException {
        Set<String> variables = new HashSet<>();
        List<URL> metadata = Collections.list(
                ComposeTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"));
        for (URL url : metadata) {
            try (InputStream in = url.openStream()) {
                variables.addAll(JSON.readTree(in)
                        .get("properties")
                        .valueStream()
                        .map(property -> property.get("name").asString())
                        .map(name -> name.replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT))
                        .collect(Collectors.toSet()));
            }
        }
        return variables;
    }

    private static JsonNode yaml(Path file) {
        try {
            Map<String, Object> content = new Yaml().load(Files.readString(file));
            return JSON.valueToTree(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
