package io.neli.sample;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class LogLevelsTest {

    private static final String LEVEL = "logging.level.";

    @ParameterizedTest
    @ValueSource(strings = {"application.yml", "application-lab.yml", "lab.yml"})
    void a_logger_whose_level_is_set_is_that_of_a_class_or_of_a_package(String file) throws IOException {
        List<String> loggers = new YamlPropertySourceLoader()
                .load(file, new ClassPathResource(file)).stream()
                        .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                        .filter(property -> property.startsWith(LEVEL))
                        .map(property -> property.substring(LEVEL.length()))
                        .toList();

        assertThat(loggers)
                .filteredOn(logger -> logger.matches(".*\\.[A-Z]\\w+"))
                .allMatch(logger -> ClassUtils.isPresent(logger, null));
    }
}
