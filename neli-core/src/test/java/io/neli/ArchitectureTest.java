package io.neli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceRule;
import io.neli.internal.member.KafkaProvider;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The API uses the member, the member Kafka, Kafka the shell, the shell the rules of the election, and these nothing.
 */
@AnalyzeClasses(
        packages = "io.neli",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeHarness.class})
class ArchitectureTest {

    private static final String API = "io.neli";
    private static final String INTERNAL = "io.neli.internal..";
    private static final String MEMBER = "io.neli.internal.member";
    private static final String ON_KAFKA = "io.neli.internal.kafka";
    private static final String SHELL = "io.neli.internal.shell";
    private static final String ELECTION = "io.neli.internal.election";
    private static final String RUNS = "io.neli.internal.runs";

    private static final String JDK = "java..";
    private static final String LOGGING = "org.slf4j";
    private static final String NULLNESS = "org.jspecify.annotations";
    private static final String KAFKA = "org.apache.kafka..";

    /** The basic parts of the JDK and, of the API, only values. */
    private static final DescribedPredicate<JavaClass> PURE = resideInAnyPackage(
                    ELECTION,
                    NULLNESS,
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.runtime",
                    "java.io",
                    "java.nio",
                    "java.nio.charset",
                    "java.util",
                    "java.util.function",
                    "java.util.stream")
            .and(not(belongToAnyOf(
                    Random.class,
                    SplittableRandom.class,
                    Timer.class,
                    Thread.class,
                    ThreadLocal.class,
                    Process.class,
                    Runtime.class)))
            .or(equivalentTo(Duration.class))
            .or(belongToAnyOf(LeaderEvent.class, LeaderTerm.End.class, Mode.class))
            .or(describe("primitive", type -> type.isPrimitive() || type.isArray()))
            .as("are plain values and functions");

    @ArchTest
    static final ArchRule the_election_consists_of_plain_values_and_functions =
            classes().that().resideInAPackage(ELECTION).should().onlyDependOnClassesThat(PURE);

    @ArchTest
    static final ArchRule the_election_leaves_nothing_to_chance = noClasses()
            .that()
            .resideInAPackage(ELECTION)
            .should()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule the_rules_of_runs_use_values_of_the_api_and_describe_problems =
            classes().that().resideInAPackage(RUNS).should(use(API, RUNS, SHELL));

    @ArchTest
    static final ArchRule the_shell_uses_the_election_and_values_of_the_api =
            classes().that().resideInAPackage(SHELL).should(use(API, ELECTION, SHELL, LOGGING));

    @ArchTest
    static final ArchRule the_logs_on_kafka_use_the_shell_the_election_and_kafka =
            classes().that().resideInAPackage(ON_KAFKA).should(use(ELECTION, RUNS, SHELL, ON_KAFKA, KAFKA, LOGGING));

    @ArchTest
    static final ArchRule the_member_uses_the_shell_the_election_and_the_api = classes()
            .that()
            .resideInAPackage(MEMBER)
            .should(use(API, ELECTION, RUNS, SHELL, ON_KAFKA, MEMBER, LOGGING));

    @ArchTest
    static final ArchRule only_the_provider_knows_kafka = noClasses()
            .that()
            .resideInAPackage(MEMBER)
            .and(not(belongToAnyOf(KafkaProvider.class)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ON_KAFKA);

    @ArchTest
    static final ArchRule the_api_uses_nothing_but_what_it_is_built_on =
            classes().that().resideInAPackage(API).should(use(API, INTERNAL));

    @ArchTest
    static final ArchRule only_the_builder_reaches_inside = noClasses()
            .that()
            .resideInAPackage(API)
            .and(not(belongToAnyOf(NeliBuilder.class)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(INTERNAL);

    @ArchTest
    static final ArchRule nothing_is_needed_but_kafkas_clients_and_a_logging_api =
            classes().should(use(API, INTERNAL, KAFKA, LOGGING));

    @ArchTest
    static final ArchRule only_the_members_clock_reads_the_systems_clocks = noClasses()
            .that(not(belongToAnyOf(MemberClock.class)))
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    /** The date is only shown; no decision depends on it. */
    @ArchTest
    static final ArchRule the_date_is_asked_for_only_to_be_shown = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(MEMBER + ".LedPartition")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    @ArchTest
    static final SliceRule packages_form_no_cycle_but_through_the_builder = slices().matching("io.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(belongToAnyOf(NeliBuilder.class), alwaysTrue());

    @ArchTest
    static final ArchRule every_package_is_null_marked = classes()
            .that()
            .resideInAPackage("io.neli..")
            .should(ArchCondition.from(describe("live in a package that is @NullMarked", type -> type.getPackage()
                    .isAnnotatedWith(NullMarked.class))));

    /** The harness is on the class path of the tests only. */
    static final class DoNotIncludeHarness implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/io/neli/harness/");
        }
    }

    private static ArchCondition<JavaClass> use(String... packages) {
        return onlyDependOnClassesThat(resideInAnyPackage(packages).or(resideInAnyPackage(JDK, NULLNESS)));
    }
}
