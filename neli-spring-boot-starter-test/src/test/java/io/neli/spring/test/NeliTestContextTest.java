package io.neli.spring.test;

import java.util.stream.Stream;

import io.neli.Neli;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.aot.TestContextAotGenerator;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class NeliTestContextTest {

    @Test
    void tests_that_ask_for_the_same_share_a_context() {
        Object leader = contextOf(Leader.class);

        assertThat(contextOf(OtherLeader.class)).isSameAs(leader);
        assertThat(contextOf(Standby.class)).isNotSameAs(leader);
        assertThat(contextOf(WithRoles.class)).isNotSameAs(leader);
    }

    @Test
    void a_test_without_the_annotation_gets_nothing_of_it() {
        assertThat(new TestContextManager(Without.class)
                        .getTestContext()
                        .getApplicationContext()
                        .getBeanNamesForType(Neli.class))
                .isEmpty();
    }

    @Test
    void a_context_can_be_processed_ahead_of_time() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

        assertThatCode(() -> new TestContextAotGenerator(files).processAheadOfTime(Stream.of(WithRoles.class)))
                .doesNotThrowAnyException();
    }

    private static Object contextOf(Class<?> test) {
        return new TestContextManager(test).getTestContext().getApplicationContext();
    }

    @SpringJUnitConfig(BillingApplication.Job.class)
    @NeliTest(roles = "reports")
    static class Leader {}

    @SpringJUnitConfig(BillingApplication.Job.class)
    @NeliTest(roles = "reports")
    static class OtherLeader {}

    @SpringJUnitConfig(BillingApplication.Job.class)
    @NeliTest(leader = false, roles = "reports")
    static class Standby {}

    @SpringJUnitConfig(BillingApplication.Job.class)
    @NeliTest(roles = {"invoices", "reports"})
    static class WithRoles {}

    @SpringJUnitConfig(BillingApplication.Job.class)
    static class Without {}
}
