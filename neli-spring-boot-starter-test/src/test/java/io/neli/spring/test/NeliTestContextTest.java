package io.neli.spring.test;

import java.util.stream.Stream;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.AotDetector;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.test.generate.CompilerFiles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.aot.TestContextAotGenerator;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void a_role_that_it_does_not_name_is_refused_as_by_an_application_that_lists_its_roles() {
        FakeNeli neli = contextOf(WithRoles.class).getBean(FakeNeli.class);

        assertThatThrownBy(() -> neli.beginWork("other")).isInstanceOf(NeliException.class);
    }

    @Test
    void a_context_can_be_processed_ahead_of_time() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

        assertThatCode(() -> new TestContextAotGenerator(files).processAheadOfTime(Stream.of(WithRoles.class)))
                .doesNotThrowAnyException();
    }

    @Tag("proof")
    @Test
    @CompileWithForkedClassLoader
    void a_context_that_was_processed_ahead_of_time_is_what_the_annotation_asks_for() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        new TestContextAotGenerator(files).processAheadOfTime(Stream.of(WithRoles.class));

        TestCompiler.forSystem().with(CompilerFiles.from(files)).compile(compiled -> {
            System.setProperty(AotDetector.AOT_ENABLED, "true");
            try {
                FakeNeli neli = contextOf(WithRoles.class).getBean(FakeNeli.class);
                assertThat(neli.roles()).containsExactly("invoices", "reports");
                assertThat(neli.isLeader("reports")).isTrue();
            } finally {
                System.clearProperty(AotDetector.AOT_ENABLED);
            }
        });
    }

    @Test
    void the_contexts_of_a_hierarchy_have_one_election() {
        ApplicationContext child = contextOf(Hierarchy.class);
        FakeNeli neli = child.getBean(FakeNeli.class);
        BillingApplication.Job ofParent = child.getBean("ofParent", BillingApplication.Job.class);
        BillingApplication.Job ofChild = child.getBean("ofChild", BillingApplication.Job.class);
        assertThat(ofParent.report()).isEqualTo("reported");
        assertThat(ofChild.report()).isEqualTo("reported");

        neli.fence();

        assertThat(ofParent.report()).isNull();
        assertThat(ofChild.report()).isNull();
        assertThat(child.getBean("neli")).isSameAs(neli);
    }

    private static ApplicationContext contextOf(Class<?> test) {
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

    @ContextHierarchy({@ContextConfiguration(classes = OfParent.class), @ContextConfiguration(classes = OfChild.class)})
    @NeliTest(roles = "reports")
    static class Hierarchy {}

    @Configuration(proxyBeanMethods = false)
    static class OfParent {

        @Bean
        BillingApplication.Job ofParent() {
            return new BillingApplication.Job();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfChild {

        @Bean
        BillingApplication.Job ofChild() {
            return new BillingApplication.Job();
        }
    }
}
