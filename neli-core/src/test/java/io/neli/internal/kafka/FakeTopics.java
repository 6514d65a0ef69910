package io.neli.internal.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;

/** Topics whose states a test sets. */
final class FakeTopics extends ConnectedTopics {

    final Set<Integer> confirmed = new HashSet<>(Set.of(0, 1, 2));
    final Map<Integer, RuntimeException> failures = new HashMap<>();
    final Map<Integer, Set<Integer>> brokers = new HashMap<>();
    boolean led = true;

    FakeTopics(KafkaSettings settings, MemberClock clock, Admin admin) {
        super(settings, clock, admin, new LeaderTopics(settings, () -> true)::find, () -> {});
    }

    @Override
    boolean isConfirmed(int number) {
        return confirmed.contains(number);
    }

    @Override
    boolean isLed(LogId wanted) {
        return led;
    }

    @Override
    Map<Integer, RuntimeException> failures() {
        return failures;
    }

    @Override
    void fail(int number, RuntimeException why) {
        failures.put(number, why);
    }

    @Override
    Set<Integer> brokers(int number) {
        return brokers.getOrDefault(number, Set.of());
    }
}
