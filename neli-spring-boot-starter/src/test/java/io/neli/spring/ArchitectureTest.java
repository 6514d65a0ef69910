package io.neli.spring;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The starter uses the core's API, and its packages use each other in one direction. */
@AnalyzeClasses(packages = "io.neli.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String API = "io.neli.spring";
    private static final String AUTO_CONFIGURATION = "io.neli.spring.autoconfigure..";
    private static final String GATE = "io.neli.spring.gate..";

    @ArchTest
    static final ArchRule only_the_api_of_the_core_is_used =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.neli.internal..");

    @ArchTest
    static final ArchRule what_is_for_tests_is_not_used = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.neli.test..", "org.springframework.test..", "org.springframework.boot.test..");

    @ArchTest
    static final ArchRule what_a_user_writes_knows_no_machinery = noClasses()
            .that()
            .resideInAPackage(API)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(AUTO_CONFIGURATION, GATE);

    @ArchTest
    static final ArchRule the_auto_configuration_knows_neither_annotation = noClasses()
            .that()
            .resideInAPackage(AUTO_CONFIGURATION)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(GATE);

    /** Without spring-kafka both annotations must still work. */
    @ArchTest
    static final ArchRule only_what_takes_containers_needs_spring_kafka = noClasses()
            .that()
            .resideInAPackage(GATE)
            .and()
            .haveSimpleNameNotStartingWith("LeaderListenerContainers")
            .and()
            .doNotHaveSimpleName("Kafka")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.kafka..");

    @ArchTest
    static final ArchRule there_are_no_cycles =
            slices().matching("io.neli.spring.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule every_package_is_null_marked = classes()
            .should(ArchCondition.from(
                    DescribedPredicate.<JavaClass>describe("be in a package with @NullMarked", type -> type.getPackage()
                            .isAnnotatedWith(NullMarked.class))));
}
