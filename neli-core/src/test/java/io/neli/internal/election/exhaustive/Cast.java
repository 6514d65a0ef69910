package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.neli.internal.election.Election;

/**
 * All values that one member took on in a search, numbered; equal values have equal numbers. As the election is a function, each
 * of its steps is taken once and remembered.
 */
final class Cast {

    final int who;
    private final List<Member> members = new ArrayList<>();
    private final Map<Member, Integer> numbers = new HashMap<>();
    private final Map<Long, Integer> steps = new HashMap<>();
    private final List<Election> elections = new ArrayList<>();

    Cast(int who) {
        this.who = who;
    }

    Member get(int number) {
        return members.get(number);
    }

    int numberOf(Member member) {
        return numbers.computeIfAbsent(member, each -> {
            members.add(each);
            return members.size() - 1;
        });
    }

    Election election(int start) {
        while (elections.size() <= start) {
            elections.add(Member.election(who, elections.size()));
        }
        return elections.get(start);
    }

    /** The next value of the member; {@code kind}, {@code tick}, {@code a} and {@code b} say everything it depends on. */
    int step(int number, Move.Kind kind, int tick, int a, int b, UnaryOperator<Member> step) {
        long key = (long) number << 38 | (long) kind.ordinal() << 34 | (long) tick << 28 | (long) a << 14 | b;
        Integer known = steps.get(key);
        if (known == null) {
            known = numberOf(step.apply(get(number)));
            steps.put(key, known);
        }
        return known;
    }
}
