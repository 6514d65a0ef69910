package io.neli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The API stands on the shell, the shell on the protocol, and the protocol on nothing. */
@AnalyzeClasses(packages = "io.neli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String API = "io.neli";
    private static final String SHELL = "io.neli.internal.kafka..";
    private static final String PROTOCOL = "io.neli.internal.election..";

    private static final List<String> PURE_PACKAGES = List.of(
            PROTOCOL,
            "java.lang",
            "java.lang.invoke",
            "java.lang.runtime",
            "java.io",
            "java.nio",
            "java.nio.charset",
            "java.util",
            "java.util.function",
            "java.util.stream",
            "org.jspecify.annotations");

    private static final DescribedPredicate<JavaClass> IMPURE = belongToAnyOf(
            Random.class,
            SplittableRandom.class,
            Timer.class,
            Thread.class,
            ThreadLocal.class,
            Process.class,
            Runtime.class);

    private static final DescribedPredicate<JavaClass> PURE = resideInAnyPackage(PURE_PACKAGES.toArray(String[]::new))
            .and(DescribedPredicate.not(IMPURE))
            .or(JavaClass.Predicates.equivalentTo(Duration.class))
            .or(DescribedPredicate.describe("primitive", type -> type.isPrimitive() || type.isArray()))
            .as("pure");

    @ArchTest
    static final ArchRule theProtocolKnowsNothingButThePlainestOfTheJdk =
            classes().that().resideInAPackage(PROTOCOL).should().onlyDependOnClassesThat(PURE);

    @ArchTest
    static final ArchRule theProtocolAsksNoClockAndNoChance = noClasses()
            .that()
            .resideInAPackage(PROTOCOL)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Instant.class);

    @ArchTest
    static final ArchRule theProtocolDependsNeitherOnTheShellNorOnTheApi = noClasses()
            .that()
            .resideInAPackage(PROTOCOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API, SHELL);

    @ArchTest
    static final ArchRule theShellDoesNotDependOnTheApi = noClasses()
            .that()
            .resideInAPackage(SHELL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(API)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule everyPackageIsNullMarked =
            classes().that().resideInAPackage("io.neli..").should(new PackageIsNullMarked());

    private static final class PackageIsNullMarked extends ArchCondition<JavaClass> {
        PackageIsNullMarked() {
            super("live in a package that is @NullMarked");
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
            events.add(new SimpleConditionEvent(
                    type, marked, type.getPackageName() + " is " + (marked ? "" : "not ") + "@NullMarked"));
        }
    }
}
