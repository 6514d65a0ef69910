package io.neli.internal.election.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** All random choices of one schedule, drawn from its seed. */
final class Chance {

    private final SplittableRandom random;

    Chance(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    double share() {
        return random.nextDouble();
    }

    long between(long least, long most) {
        return least >= most ? least : random.nextLong(least, most);
    }

    /** A delay that is mostly short, and sometimes much longer than the mean. */
    long around(long mean) {
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }

    long oneOf(long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    double oneOf(double... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
