package io.neli.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Status;

/**
 * Snapshots of a member {@code me} with the roles {@code invoices} and {@code reports} on one partition, {@code mail}
 * on another.
 */
public final class Snapshots {

    private Snapshots() {}

    public static NeliSnapshot stopped() {
        return with(Status.STOPPED, Optional.empty(), List.of(unled(0, "invoices", "reports"), unled(1, "mail")));
    }

    public static NeliSnapshot failed(String problem) {
        return with(Status.FAILED, Optional.of(problem), List.of(unled(0, "invoices", "reports"), unled(1, "mail")));
    }

    public static NeliSnapshot unableToLead(String problem) {
        return with(Status.UNABLE_TO_LEAD, Optional.of(problem), List.of(unled(0, "invoices", "reports")));
    }

    public static NeliSnapshot connecting() {
        return with(Status.CONNECTING, Optional.empty(), List.of(unled(0, "invoices", "reports"), unled(1, "mail")));
    }

    /** The member leads the roles of the first partition, and {@code bob} those of the other. */
    public static NeliSnapshot leading(Duration leadingFor, Duration leaseLeft) {
        return leading(leadingFor, Duration.ZERO, leaseLeft);
    }

    /** The same, while its listeners prepare for the roles of the first partition. */
    public static NeliSnapshot leading(Duration leadingFor, Duration preparingFor, Duration leaseLeft) {
        return with(
                Status.RUNNING,
                Optional.empty(),
                List.of(
                        new NeliSnapshot.Partition(
                                0,
                                List.of("invoices", "reports"),
                                NeliSnapshot.Partition.State.LEADING,
                                true,
                                Optional.of("me"),
                                Map.of("url", "http://me:8080"),
                                Optional.of(42L),
                                true,
                                leadingFor,
                                preparingFor,
                                leaseLeft,
                                Optional.of("me"),
                                logs("me", true)),
                        new NeliSnapshot.Partition(
                                1,
                                List.of("mail"),
                                NeliSnapshot.Partition.State.STANDBY,
                                false,
                                Optional.of("bob"),
                                Map.of(),
                                Optional.of(7L),
                                false,
                                Duration.ZERO,
                                Duration.ZERO,
                                Duration.ZERO,
                                Optional.of("bob"),
                                logs("bob", false))));
    }

    private static NeliSnapshot.Partition unled(int number, String... roles) {
        return new NeliSnapshot.Partition(
                number,
                List.of(roles),
                NeliSnapshot.Partition.State.STANDBY,
                false,
                Optional.empty(),
                Map.of(),
                Optional.of(3L),
                false,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                Stream.of("billing.neli", "billing.neli.1", "billing.neli.2")
                        .map(Snapshots::unknownLog)
                        .toList());
    }

    private static NeliSnapshot.Log unknownLog(String topic) {
        return new NeliSnapshot.Log(topic, false, false, Optional.empty());
    }

    /** Three logs, of which the last is lost. */
    private static List<NeliSnapshot.Log> logs(String holder, boolean held) {
        return List.of(
                new NeliSnapshot.Log("billing.neli", true, held, Optional.of(holder)),
                new NeliSnapshot.Log("billing.neli.1", true, held, Optional.of(holder)),
                unknownLog("billing.neli.2"));
    }

    private static NeliSnapshot with(Status status, Optional<String> problem, List<NeliSnapshot.Partition> partitions) {
        return new NeliSnapshot(
                "me",
                "billing",
                "billing.neli",
                status,
                problem,
                status == Status.RUNNING,
                false,
                0,
                partitions,
                List.of(new NeliSnapshot.Job(
                        "close books", "invoices", "rate PT1H", false, Optional.empty(), Optional.empty())));
    }
}
