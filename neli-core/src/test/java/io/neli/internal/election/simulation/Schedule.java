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
        this.world = new World(chance, conditions(chance, kind, seed), kind == Kind.ROLES, trace);
        world.note("world", seed, kind, world.conditions);
    }

    private static Conditions conditions(Chance chance, Kind kind, long seed) {
        Conditions drawn =
                switch (kind) {
                    case FAULTS -> Conditions.ofFaults(chance, Mode.EXCLUSIVE, 1, 1, 1, 3);
                    case CALM -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 1, 3, 4);
                    case DEPARTURE, SILENCE, OUTAGE, TWINS -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 3);
                    case NON_EXCLUSIVE ->
                        chance.happens(0.6)
                                ? Conditions.ofFaults(chance, Mode.NON_EXCLUSIVE, 1, 1, 1, 3)
                                : Conditions.ofCalm(chance, Mode.NON_EXCLUSIVE, 1, 1, 3);
                    case LATECOMER -> Conditions.ofLatecomer(chance);
                    case REPLACEMENT -> Conditions.ofReplacement(chance);
                    case ROLES -> Conditions.ofRoles(chance);
                };
        boolean severalLogs = kind == Kind.TWINS ? chance.happens(0.3) : Kind.hasSeveralLogs(seed);
        if (!severalLogs) {
            return drawn;
        }
        return switch (kind) {
            case REPLACEMENT -> drawn.withLogs(1, 3);
            case ROLES -> drawn.withLogs((int) chance.oneOf(2L, 2L, 3L), 3);
            default -> drawn.onSeveralLogs(chance);
        };
    }

    Tally run() {
        switch (world.conditions.patience().faults() > 0 ? Kind.FAULTS : kind) {
            case FAULTS -> new Faults(world).run();
            case NON_EXCLUSIVE -> new Continuity(world).run();
            case LATECOMER -> new Latecomer(world).run();
            case CALM -> new Calm(world).run();
            case DEPARTURE -> new Departure(world).run();
            case SILENCE -> new Silence(world).run();
            case REPLACEMENT -> new Replacement(world).run();
            case OUTAGE -> new Outage(world).run();
            case ROLES -> new WrongRoles(world).run();
            case TWINS -> new Twins(world).run();
        }
        return world.tally;
    }
}
