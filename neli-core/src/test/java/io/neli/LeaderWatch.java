package io.neli;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Repeatedly asks members whether they lead, and records when two of them led at the same time. */
final class LeaderWatch implements AutoCloseable {

    private final List<Neli> members;
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread = new Thread(this::watch, "leader-watch");
    private volatile boolean closed;

    LeaderWatch(TestMember... members) {
        this.members = List.of(members).stream().map(member -> member.neli).toList();
        thread.start();
    }

    private void watch() {
        while (!closed) {
            for (Neli one : members) {
                for (Neli other : members) {
                    if (one != other) {
                        look(one, other);
                    }
                }
            }
            rounds.incrementAndGet();
            LockSupport.parkNanos(100_000); // leaves processor time to the members
        }
    }

    private void look(Neli one, Neli other) {
        Optional<Long> before = one.leadership().map(Leadership::token);
        Optional<Long> between = other.leadership().map(Leadership::token);
        Optional<Long> after = one.leadership().map(Leadership::token);
        // If the term is the same before and after, it lasted throughout.
        if (before.isPresent() && between.isPresent() && before.equals(after)) {
            overlaps.add("terms " + before.get() + " and " + between.get());
        }
    }

    void assertNeverTwo() {
        eventually().untilAsserted(() -> assertThat(rounds).as("rounds").hasPositiveValue());
        assertThat(overlaps).as("terms led at the same time").isEmpty();
    }

    @Override
    public void close() {
        closed = true;
        eventually().until(() -> !thread.isAlive());
    }
}
