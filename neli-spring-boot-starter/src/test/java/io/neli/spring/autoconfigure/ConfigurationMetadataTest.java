package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import io.neli.Neli;
import io.neli.NeliBuilder;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTest {

    @Test
    void the_defaults_that_the_metadata_tells_are_those_of_the_builder() throws IOException {
        Map<String, Object> defaults = new LinkedHashMap<>();
        for (Map<String, Object> property : properties()) {
            if (property.containsKey("defaultValue")) {
                defaults.put((String) property.get("name"), property.get("defaultValue"));
            }
        }
        assertThat(defaults).containsKeys("neli.heartbeat-timeout", "neli.topic-creation.retention");
        Map<String, Object> client = Map.of("bootstrap.servers", "broker:9092");
        NeliBuilder explicit = Neli.builder();

        new NeliBuilderConfigurer(NeliBuilderConfigurerTest.bound(defaults), "billing", null)
                .configure(explicit, client);

        assertThat(explicit)
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder().kafka(client).groupId("billing"));
    }

    @Test
    void every_property_is_described() throws IOException {
        assertThat(properties()).allSatisfy(property -> {
            String name = (String) property.get("name");
            assertThat(property).containsKey("type");
            if (name.startsWith("neli.")) {
                assertThat(property).containsKey("sourceType"); // one without exists in the additional file only
            }
            assertThat((String) property.get("description")).as("%s", name).endsWith(".");
        });
    }

    private static List<Map<String, Object>> properties() throws IOException {
        Resource root = new FileUrlResource(
                NeliProperties.class.getProtectionDomain().getCodeSource().getLocation());
        Resource metadata = root.createRelative("META-INF/spring-configuration-metadata.json");
        return JsonPath.parse(metadata.getInputStream()).read("$.properties");
    }
}
