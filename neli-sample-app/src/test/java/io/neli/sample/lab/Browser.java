package io.neli.sample.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

import io.neli.programs.Program;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An installed, headless Chromium with its own profile. Nothing is downloaded. */
final class Browser implements AutoCloseable {

    /** These warn that there are no protocol classes for this version; none are used. */
    private static final List<Logger> QUIET = Stream.of(
                    "org.openqa.selenium.devtools.CdpVersionFinder", "org.openqa.selenium.chromium.ChromiumDriver")
            .map(Logger::getLogger)
            .toList();

    /** Schemes of the browser's own requests, such as its first page. */
    private static final Set<String> LOCAL = Set.of("chrome", "chrome-untrusted", "data", "about", "blob");

    private final Path profile;
    private final ChromeDriver driver;
    private final List<LogEntry> console = new ArrayList<>();
    private final List<URI> requests = new ArrayList<>();

    private Browser(Path profile, ChromeDriver driver) {
        this.profile = profile;
        this.driver = driver;
    }

    static Browser start() throws IOException {
        QUIET.forEach(logger -> logger.setLevel(Level.OFF));
        Path chromium = Program.CHROMIUM.path();
        Path chromedriver = Program.CHROMEDRIVER.path();
        Path profile = Files.createTempDirectory("neli-lab-browser");
        try {
            ChromeDriverService service = new ChromeDriverService.Builder()
                    .usingDriverExecutable(chromedriver.toFile())
                    .usingAnyFreePort()
                    .withTimeout(Duration.ofMinutes(2))
                    .build();
            ChromeDriver driver = new ChromeDriver(service, options(chromium, profile));
            driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
            return new Browser(profile, driver);
        } catch (RuntimeException e) {
            endProcesses(profile);
            FileSystemUtils.deleteRecursively(profile);
            throw e;
        }
    }

    private static ChromeOptions options(Path chromium, Path profile) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        return options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,900",
                "--user-data-dir=" + profile);
    }

    ChromeDriver driver() {
        return driver;
    }

    void open(String address) {
        driver.get(address);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Sets the size of the window, as on a phone or not. */
    void size(Dimension size, boolean phone) {
        cdp(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", size.width, "height", size.height, "deviceScaleFactor", 1, "mobile", phone));
    }

    void prefer(String scheme) {
        Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
        cdp("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    void offline(boolean offline) {
        cdp("Network.enable", Map.of());
        cdp(
                "Network.emulateNetworkConditions",
                Map.of("offline", offline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    private Map<String, Object> cdp(String command, Map<String, Object> parameters) {
        return driver.executeCdpCommand(command, parameters);
    }

    /** A picture of the whole page, even beyond the window's edge. */
    byte[] picture() {
        Map<String, Object> parameters = Map.of("format", "png", "captureBeyondViewport", true, "clip", pageSize());
        return Base64.getDecoder()
                .decode((String) cdp("Page.captureScreenshot", parameters).get("data"));
    }

    private Map<String, Object> pageSize() {
        Map<?, ?> size = (Map<?, ?>) cdp("Page.getLayoutMetrics", Map.of()).get("cssContentSize");
        return Map.of("x", 0, "y", 0, "width", size.get("width"), "height", size.get("height"), "scale", 1);
    }

    /** Warnings and errors on the console since the browser was started. */
    List<String> complaints() {
        driver.manage().logs().get(LogType.BROWSER).forEach(console::add);
        return console.stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Removes an expected complaint, which a test causes on purpose. */
    void expect(String complaint) {
        complaints();
        console.removeIf(entry -> entry.getMessage().contains(complaint));
    }

    /** All requests of pages since the browser was started, to any host. */
    List<URI> requests() {
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = JsonMapper.shared().readTree(entry.getMessage()).path("message");
            if (message.path("method").asString().equals("Network.requestWillBeSent")) {
                URI uri = URI.create(
                        message.path("params").path("request").path("url").asString());
                if (!LOCAL.contains(uri.getScheme())) {
                    requests.add(uri);
                }
            }
        }
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        try {
            driver.quit();
        } finally {
            endProcesses(profile);
            try {
                FileSystemUtils.deleteRecursively(profile);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends processes that the driver has left behind; their commands all contain the profile. */
    private static void endProcesses(Path profile) {
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(command -> command.contains(profile.toString()))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
    }
}
