package io.neli.spring.test;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The test support uses only the core's API and the starter. */
@AnalyzeClasses(packages = "io.neli.spring.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule only_the_api_of_the_core_is_used =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.neli.internal..");

    @ArchTest
    static final ArchRule it_is_one_package = classes().should().resideInAPackage("io.neli.spring.test");

    @ArchTest
    static final ArchRule only_the_annotation_is_public =
            classes().that().arePublic().should().haveSimpleName("NeliTest");
}
