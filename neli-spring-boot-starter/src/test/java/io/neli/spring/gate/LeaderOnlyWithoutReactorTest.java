package io.neli.spring.gate;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Runs;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Runs in class loaders without Reactor and the Reactive Streams that it brings. */
class LeaderOnlyWithoutReactorTest {

    @Test
    void leadership_is_checked_as_usual() throws Exception {
        assertThat(runWithoutReactor(PlainSetup.class)).isEqualTo("skipped, ran");
    }

    @Test
    void a_method_that_returns_a_publisher_is_refused() {
        assertThatThrownBy(() -> runWithoutReactor(PublisherSetup.class))
                .rootCause()
                .hasMessageContainingAll("PublisherJob.flow()", "add io.projectreactor:reactor-core");
    }

    /** With Reactor, its return type would count as a reactive type. */
    @Test
    void a_job_that_returns_a_future_is_refused() {
        assertThatThrownBy(() -> runWithoutReactor(FutureSetup.class))
                .rootCause()
                .hasMessageContainingAll("FutureJob.run()", "it returns before its run ends");
    }

    private static Object runWithoutReactor(Class<?> setup) throws Exception {
        URL[] others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("reactor") && !entry.contains("reactive-streams"))
                .map(LeaderOnlyWithoutReactorTest::url)
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("org.reactivestreams.Publisher"))
                    .isInstanceOf(ClassNotFoundException.class);
            thread.setContextClassLoader(loader);
            return ((Callable<?>) loader.loadClass(setup.getName())
                            .getDeclaredConstructor()
                            .newInstance())
                    .call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static class PlainSetup implements Callable<String> {

        @Override
        public String call() {
            try (GatedContext gated = new GatedContext(StubNeli.standby())) {
                PlainJob job = gated.start(PlainJob.class);
                String standby = job.run().orElse("skipped");
                gated.neli.lead(true);
                return standby + ", " + job.run().orElse("skipped");
            }
        }
    }

    static class PlainJob {

        @LeaderOnly
        Optional<String> run() {
            return Optional.of("ran");
        }
    }

    public static class PublisherSetup implements Callable<String> {

        @Override
        public String call() {
            try (GatedContext gated = new GatedContext(StubNeli.standby())) {
                return gated.start(PublisherJob.class).toString();
            }
        }
    }

    static class PublisherJob {

        @LeaderOnly
        Flow.Publisher<String> flow() {
            throw new IllegalStateException("never called");
        }
    }

    public static class FutureSetup implements Callable<String> {

        @Override
        public String call() {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                context.registerBean(StubNeli.class, StubNeli::standby);
                context.registerBean(RoleResolver.class, () -> new RoleResolver(context.getBeanFactory()));
                context.registerBean(
                        ScheduledJobs.class, () -> new ScheduledJobs(context, context.getBean(RoleResolver.class)));
                context.registerBean(FutureJob.class);
                context.refresh();
                return "not refused";
            }
        }
    }

    static class FutureJob {

        @Scheduled(fixedRate = 10)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE)
        CompletableFuture<Void> run() {
            throw new IllegalStateException("never called");
        }
    }
}
