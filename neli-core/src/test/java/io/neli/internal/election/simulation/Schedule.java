package io.neli.internal.election.simulation;

import java.util.function.Consumer;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/** One seed. */
final class Schedule {

    private final World world;
    private final Kind kind;

    Schedule(long seed, @Nullable Consumer<String> trace) {
        this.kind = Kind.of(seed);
        Chance chance = new Chance(seed);
        Conditions conditions =
                switch (kind) {
                    case FAULTS -> Conditions.ofFaults(chance, Mode.EXCLUSIVE);
                    case CALM -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 1, 3, 4);
                    case DEPARTURE -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 3);
                    case NON_EXCLUSIVE ->
                        chance.happens(0.6)
                                ? Conditions.ofFaults(chance, Mode.NON_EXCLUSIVE)
                                : Conditions.ofCalm(chance, Mode.NON_EXCLUSIVE, 1, 1, 3);
                    case LATECOMER -> Conditions.ofLatecomer(chance);
                    case SILENCE -> Conditions.ofCalm(chance, Mode.EXCLUSIVE, 1, 1, 3);
                };
        this.world = new World(chance, conditions, trace);
        world.note("world", seed, kind, world.conditions);
    }

    Tally run() {
        world.tally.count("schedules: " + kind);
        switch (kind) {
            case FAULTS -> {
                new Faults(world).run();
                new Rest(world).settle();
            }
            case NON_EXCLUSIVE -> {
                if (world.conditions.patience().faults() == 0) {
                    new Continuity(world).run();
                } else {
                    new Faults(world).run();
                    new Rest(world).settle();
                }
            }
            case LATECOMER -> new Latecomer(world).run();
            case CALM -> new Calm(world).run();
            case DEPARTURE -> new Departure(world).run();
            case SILENCE -> new Silence(world).run();
        }
        return world.tally;
    }
}
