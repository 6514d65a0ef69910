package io.neli.spring.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SkippedTicksTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ObservationAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withBean(Observed.class)
            .withBean(Job.class)
            .withBean(StubNeli.class, StubNeli::standby);

    @Test
    void a_tick_that_is_skipped_is_not_observed() {
        runner.run(context -> {
            tick(context, "settle");
            assertThat(observed(context)).isEmpty();
            context.getBean(StubNeli.class).lead(true);
            tick(context, "settle");
            assertThat(observed(context)).containsExactly("settle");
        });
    }

    @Test
    void a_tick_that_throws_and_one_that_runs_everywhere_are_observed() {
        runner.run(context -> {
            assertThatThrownBy(() -> tick(context, "strict")).isInstanceOf(NotLeaderException.class);
            tick(context, "everywhere");
            assertThat(observed(context)).containsExactly("strict", "everywhere");
        });
    }

    @Test
    void a_property_has_skipped_ticks_observed() {
        runner.withPropertyValues("neli.scheduling.skip-observations=false").run(context -> {
            tick(context, "settle");
            assertThat(observed(context)).containsExactly("settle");
        });
    }

    @Test
    void that_property_accepts_each_spelling_of_a_boolean_and_names_itself_if_it_is_none() {
        runner.withPropertyValues("neli.scheduling.skip-observations=on").run(context -> {
            tick(context, "settle");
            assertThat(observed(context)).isEmpty();
        });
        runner.withPropertyValues("neli.scheduling.skip-observations=maybe")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("neli.scheduling.skip-observations"));
    }

    private static void tick(ApplicationContext context, String method) throws NoSuchMethodException {
        Job job = context.getBean(Job.class);
        new ScheduledMethodRunnable(
                        job, job.getClass().getMethod(method), null, () -> context.getBean(ObservationRegistry.class))
                .run();
    }

    private static List<String> observed(ApplicationContext context) {
        return context.getBean(Observed.class).methods;
    }

    static class Observed implements ObservationHandler<ScheduledTaskObservationContext> {

        final List<String> methods = new CopyOnWriteArrayList<>();

        @Override
        public void onStart(ScheduledTaskObservationContext context) {
            methods.add(context.getMethod().getName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof ScheduledTaskObservationContext;
        }
    }

    public static class Job {

        @LeaderOnly
        public void settle() {}

        @LeaderOnly(otherwise = Otherwise.THROW)
        public void strict() {}

        public void everywhere() {}
    }
}
