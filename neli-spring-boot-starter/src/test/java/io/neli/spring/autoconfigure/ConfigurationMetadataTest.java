package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliBuilder;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ConfigurationMetadataTest {

    @Test
    void the_defaults_in_the_metadata_are_those_of_the_builder() throws IOException {
        Map<String, Object> defaults = new LinkedHashMap<>();
        for (Map<String, Object> property : properties()) {
            if (property.containsKey("defaultValue")) {
                defaults.put((String) property.get("name"), property.get("defaultValue"));
            }
        }
        assertThat(defaults).containsKeys("neli.lease-duration", "neli.topic.retention");
        Map<String, Object> client = Map.of("bootstrap.servers", "broker:9092");
        NeliBuilder explicit = Neli.builder().kafka(client);

        new NeliBuilderConfigurer(NeliBuilderConfigurerTest.bound(defaults), "billing").configure(explicit);

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
                assertThat(property).containsKey("sourceType"); // a property without one is only in the additional file
            }
            assertThat((String) property.get("description")).as("%s", name).endsWith(".");
        });
    }

    @Test
    void every_value_that_is_hinted_at_is_one_that_can_be_set() throws IOException {
        List<String> names = properties().stream()
                .map(property -> (String) property.get("name"))
                .toList();
        for (Map<String, Object> hint : hints()) {
            String name = (String) hint.get("name");
            assertThat(names).contains(name.replaceAll("\\.(keys|values)$", ""));
            for (String value : values(hint)) {
                Map<String, String> set =
                        name.endsWith(".keys") ? Map.of(name.replace("keys", value), "x") : Map.of(name, value);
                assertThatNoException().as("%s", set).isThrownBy(() -> NeliBuilderConfigurerTest.bound(set));
            }
        }
    }

    @Test
    void a_hint_at_the_default_is_right() throws IOException {
        for (Map<String, Object> hint : hints()) {
            List<String> claimed = JsonPath.parse(hint).read("$.values[?(@.description =~ /The default.*/)].value");
            List<String> actual = metadata().read("$.properties[?(@.name == '" + hint.get("name") + "')].defaultValue");
            assertThat(actual).as("%s", hint.get("name")).containsAll(claimed);
        }
    }

    @Test
    void the_values_of_each_choice_are_hinted_at() throws IOException {
        assertThat(hinted("neli.mode")).containsExactlyElementsOf(names(Mode.values()));
        assertThat(hinted("neli.when-disabled")).containsExactlyElementsOf(names(NeliProperties.WhenDisabled.values()));
    }

    private static List<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    private static List<String> hinted(String name) throws IOException {
        return hints().stream()
                .filter(hint -> hint.get("name").equals(name))
                .findFirst()
                .map(ConfigurationMetadataTest::values)
                .orElseThrow();
    }

    private static List<String> values(Map<String, Object> hint) {
        return JsonPath.parse(hint).read("$.values[*].value");
    }

    private static List<Map<String, Object>> hints() throws IOException {
        return metadata().read("$.hints");
    }

    private static List<Map<String, Object>> properties() throws IOException {
        return metadata().read("$.properties");
    }

    private static DocumentContext metadata() throws IOException {
        Resource root = new FileUrlResource(
                NeliProperties.class.getProtectionDomain().getCodeSource().getLocation());
        Resource metadata = root.createRelative("META-INF/spring-configuration-metadata.json");
        return JsonPath.parse(metadata.getInputStream());
    }
}
