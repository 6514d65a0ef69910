package io.neli.nats;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/** The module uses the builder, the log provider, the shell and the values of the election, but nothing of Kafka. */
@AnalyzeClasses(packages = "io.neli.nats", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule it_knows_nothing_of_kafka = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.neli",
                    "io.neli.nats",
                    "io.neli.internal.member",
                    "io.neli.internal.runs",
                    "io.neli.internal.shell",
                    "io.neli.internal.election",
                    "io.nats..",
                    "java..",
                    "javax.net.ssl",
                    "org.jspecify.annotations",
                    "org.slf4j");
}
