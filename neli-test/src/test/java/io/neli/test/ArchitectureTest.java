package io.neli.test;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/** The fake is the real member with another engine. */
@AnalyzeClasses(packages = "io.neli.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule the_fake_uses_the_member_and_the_api = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.neli",
                    "io.neli.test",
                    "io.neli.internal.member",
                    "io.neli.internal.runs",
                    "io.neli.internal.shell",
                    "java..",
                    "org.jspecify.annotations");
}
