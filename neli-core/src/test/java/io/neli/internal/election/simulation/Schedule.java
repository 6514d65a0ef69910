package io.neli.internal.election.simulation;

import java.util.function.Consumer;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/** Runs the schedule of one seed. */
final class Schedule {

    private final World world;
    private final Kind kind;

    Schedule(long seed, @Nullable Consumer<String> trace) {
        this.kind = Kind.of(seed);
        Chance chance = new Chance(seed);
        this.world = new World(chance, conditions(chance, kind), kind.name().endsWith("ROLES"), trace);
        world.note("world", seed, kind, world.conditions);
    }

    private static Conditions conditions(Chance chance, Kind kind) {
        return switch (kind) {
            case FAULTS -> Conditions.ofFaults(chance, Mode.EXCLUSIVE, 1, 1, 1, 3);
            case CALM -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 1, 3, 4);
            case DEPARTURE, SILENCE -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 3);
            case NON_EXCLUSIVE ->
                chance.happens(0.6)
                        ? Conditions.ofFaults(chance, Mode.NON_EXCLUSIVE, 1, 1, 1, 3)
                        : Conditions.ofCalm(chance, Mode.NON_EXCLUSIVE, 1, 1, 3);
            case LATECOMER -> Conditions.ofLatecomer(chance);
            case QUORUM_FAULTS -> conditions(chance, Kind.FAULTS).onSeveralLogs(chance);
            case QUORUM_CALM -> conditions(chance, Kind.CALM).onSeveralLogs(chance);
            case QUORUM_DEPARTURE, QUORUM_SILENCE, QUORUM_OUTAGE ->
                conditions(chance, Kind.DEPARTURE).onSeveralLogs(chance);
            case QUORUM_REPLACEMENT -> Conditions.ofReplacement(chance);
            case TWINS -> {
                Conditions calm = conditions(chance, Kind.DEPARTURE);
                yield chance.happens(0.3) ? calm.onSeveralLogs(chance) : calm;
            }
            case ROLES -> Conditions.ofRoles(chance);
            case QUORUM_ROLES -> Conditions.ofRoles(chance).withLogs((int) chance.oneOf(2L, 2L, 3L), 3);
            case QUORUM_NON_EXCLUSIVE -> conditions(chance, Kind.NON_EXCLUSIVE).onSeveralLogs(chance);
        };
    }

    Tally run() {
        switch (kind) {
            case FAULTS, QUORUM_FAULTS -> new Faults(world).run();
            case NON_EXCLUSIVE, QUORUM_NON_EXCLUSIVE -> {
                if (world.conditions.patience().faults() == 0) {
                    new Continuity(world).run();
                } else {
                    new Faults(world).run();
                }
            }
            case LATECOMER -> new Latecomer(world).run();
            case CALM, QUORUM_CALM -> new Calm(world).run();
            case DEPARTURE, QUORUM_DEPARTURE -> new Departure(world).run();
            case SILENCE, QUORUM_SILENCE -> new Silence(world).run();
            case QUORUM_REPLACEMENT -> new Replacement(world).run();
            case QUORUM_OUTAGE -> new Outage(world).run();
            case ROLES, QUORUM_ROLES -> {
                if (world.conditions.patience().faults() == 0) {
                    new WrongRoles(world).run();
                } else {
                    new Faults(world).run();
                }
            }
            case TWINS -> new Twins(world).run();
        }
        return world.tally;
    }
}
