package io.neli;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "io.neli", importOptions = ImportOption.DoNotIncludeTests.class)
class DependenciesTest {

    @ArchTest
    static final ArchRule nothingIsNeededButKafkasClientsAndALoggingApi = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.neli..", "org.apache.kafka..", "org.slf4j", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule theProtocolKnowsNeitherKafkaNorClockNorLog = classes()
            .that()
            .resideInAPackage("io.neli.protocol")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.neli.protocol", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule theShellDoesNotKnowTheApi = noClasses()
            .that()
            .resideInAnyPackage("io.neli.kafka", "io.neli.protocol")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.neli");

    @ArchTest
    static final ArchRule theApiKnowsNoKafka = noClasses()
            .that()
            .resideInAPackage("io.neli")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");
}
