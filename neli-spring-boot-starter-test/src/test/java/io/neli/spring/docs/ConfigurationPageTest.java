package io.neli.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** docs/configuration.md is what {@link ConfigurationPage} generates from the metadata. */
class ConfigurationPageTest {

    private static final Path PAGE = CodeBlock.PROJECT.resolve("docs").resolve("configuration.md");

    @Test
    void the_page_says_what_the_metadata_says() throws IOException {
        String page = new ConfigurationPage(Metadata.ofThisLibrary()).text();
        if (Boolean.getBoolean("neli.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE))
                .as(
                        "generate it again: ./mvnw -pl neli-spring-boot-starter-test -am test"
                                + " -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dneli.docs.write=true")
                .isEqualTo(page);
    }
}
