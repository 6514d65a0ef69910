package io.neli.sample.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.Dimension;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts the jar once for all tests of a class, and opens its page in a browser for each test. */
@NullUnmarked
@Needs({Program.CHROMIUM, Program.CHROMEDRIVER})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LabInBrowser {

    static final Dimension PHONE = new Dimension(390, 844);
    private static final Dimension DESKTOP = new Dimension(1280, 900);

    Browser browser;
    LabProcess lab;
    LabPage page;

    private final String[] arguments;

    /** Passes arguments to the lab. */
    LabInBrowser(String... arguments) {
        this.arguments = arguments;
    }

    @BeforeAll
    void start() throws IOException {
        browser = Browser.start();
        lab = LabProcess.start(arguments);
        page = new LabPage(browser);
    }

    @AfterAll
    void stop() throws Exception {
        try {
            if (browser != null) {
                browser.close();
            }
        } finally {
            if (lab != null) {
                try (LabProcess running = lab) {
                    running.stop();
                    running.awaitEnd();
                }
            }
        }
    }

    @BeforeEach
    void open() {
        browser.size(DESKTOP, false);
        browser.prefer("light");
        try {
            browser.open(lab.address().toString());
            page.recover();
        } catch (RuntimeException e) {
            throw new AssertionError(lab.ends(), e);
        }
    }

    @AfterEach
    void the_console_has_no_errors_and_no_other_host_is_contacted() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests()).isNotEmpty().allMatch(request -> Set.of("localhost", "127.0.0.1", "")
                .contains(String.valueOf(request.getHost())));
    }

    @Test
    void nothing_is_wider_than_a_phone() {
        browser.size(PHONE, true);
        page.find("#events summary").click();
        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) PHONE.width);
    }

    void picture(String name) throws IOException {
        byte[] picture = browser.picture();
        assertThat(picture).hasSizeGreaterThan(10_000);
        for (Path directory : directories()) {
            Files.write(Files.createDirectories(directory).resolve(name), picture);
        }
    }

    /** Where to put pictures: -Dneli.screenshots=(directory) makes those of the documentation. */
    private static List<Path> directories() {
        return Stream.concat(Stream.of("target/screenshots"), Stream.ofNullable(System.getProperty("neli.screenshots")))
                .map(Path::of)
                .toList();
    }
}
