package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.neli.internal.election.Election;

/**
 * Numbers all values that one member takes on in a search. The election is a function, so each of its steps is taken
 * once and remembered.
 */
final class Cast {

    final int who;
    private final int logs;
    private final Numbering<Member> members = new Numbering<>();
    private final Map<Long, Integer> steps = new HashMap<>();
    private final Map<Integer, Integer> silenced = new HashMap<>();
    private final List<Election> elections = new ArrayList<>();

    /** @param logs how many logs the partition has */
    Cast(int who, int logs) {
        this.who = who;
        this.logs = logs;
    }

    Member get(int number) {
        return members.get(number);
    }

    int numberOf(Member member) {
        return members.numberOf(member);
    }

    Election election(int start) {
        while (elections.size() <= start) {
            elections.add(Member.election(who, elections.size(), logs));
        }
        return elections.get(start);
    }

    /** The next value of the member. It depends only on the move's kind, log, {@code a} and {@code b}, and the tick. */
    int step(int number, Move move, int tick, UnaryOperator<Member> step) {
        long key = Fits.in(number, 24);
        key = key << 4 | Fits.in(move.kind().ordinal(), 4);
        key = key << 6 | Fits.in(tick, 6);
        key = key << 2 | Fits.in(move.log(), 2);
        key = key << 14 | Fits.in(move.a(), 14);
        key = key << 14 | Fits.in(move.b(), 14);
        key *= 0x9E3779B97F4A7C15L; // one-to-one, and spreads the keys over the table
        Integer known = steps.get(key);
        if (known == null) {
            known = numberOf(step.apply(get(number)));
            steps.put(key, known);
        }
        return known;
    }

    /** The same member with nothing in flight to the log. */
    int silenced(int number, int log) {
        return silenced.computeIfAbsent(
                number * logs + log, key -> numberOf(get(number).withInFlight(log, List.of())));
    }
}
