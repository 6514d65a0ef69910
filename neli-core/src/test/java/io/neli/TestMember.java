package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.LeaderEvent.LeaderAcquired;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A member on the shared broker, and the events that it received. */
public final class TestMember implements AutoCloseable {

    /** Long enough for any machine. Only a failing test waits this long. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Busy machines do not stall for this long. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** No machine stalls, and no test waits, for this long, so a test notices a resignation that nobody reads. */
    static final Duration LONG_LEASE = Duration.ofMinutes(5);

    /**
     * For members whose terms no load ends. Tests with it must not wait for a lease: for its end, for a request to hand
     * over, which an owner makes once per lease, or at the start on a log to which other groups have written.
     */
    static final Consumer<NeliBuilder> LASTING = builder -> builder.leaseDuration(LONG_LEASE);

    /**
     * For tests that wait until leases end. A machine that stalls ends more of them, so such tests check only the final
     * state.
     */
    static final Consumer<NeliBuilder> QUICK = builder -> builder.leaseDuration(Duration.ofMillis(400));

    /** For members that wait for a lease at their start. */
    static final Consumer<NeliBuilder> STEADY = builder -> builder.leaseDuration(Duration.ofSeconds(15));

    final String name;
    final EventRecorder events;
    final Neli neli;

    private TestMember(String name, EventRecorder events, Neli neli) {
        this.name = name;
        this.events = events;
        this.neli = neli;
    }

    /** A builder with fast timing that still leaves a large margin for a busy machine. */
    private static NeliBuilder builder(String servers, String groupId, String name) {
        return TestServers.get()
                .builder(servers)
                .groupId(groupId)
                .name(name)
                .heartbeatInterval(Duration.ofMillis(100))
                .leaseDuration(LEASE)
                .handoverTimeout(PATIENCE);
    }

    static TestMember start(String groupId, String name, Consumer<NeliBuilder> more) {
        TestMember member = of(groupId, name, more);
        member.neli.start();
        return member;
    }

    static TestMember of(String groupId, String name, Consumer<NeliBuilder> more) {
        return of(TestServers.get().shared(), groupId, name, more);
    }

    /** A member on other servers than the shared ones. */
    static TestMember of(String servers, String groupId, String name, Consumer<NeliBuilder> more) {
        EventRecorder events = new EventRecorder();
        NeliBuilder builder = builder(servers, groupId, name).listener(events);
        more.accept(builder);
        return new TestMember(name, events, builder.build());
    }

    /** Starts a member. Returns when it leads and has been notified of it. */
    static TestMember startLeader(String groupId, String name) {
        return startLeader(groupId, name, builder -> {});
    }

    static TestMember startLeader(String groupId, String name, Consumer<NeliBuilder> more) {
        TestMember member = start(groupId, name, more);
        member.awaitLead();
        member.awaitEvent(LeaderAcquired.class);
        return member;
    }

    /** Starts a member. Returns when it knows who leads. */
    static TestMember startStandby(String groupId, String name) {
        return startStandby(groupId, name, builder -> {});
    }

    static TestMember startStandby(String groupId, String name, Consumer<NeliBuilder> more) {
        TestMember member = start(groupId, name, more);
        eventually().until(() -> member.neli.leader().isPresent());
        return member;
    }

    public static ConditionFactory eventually() {
        return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5));
    }

    /** The names of live threads that begin with {@code prefix}. */
    public static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits like work that ignores interrupts. */
    public static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // the test ends the wait
            }
        }
    }

    Leadership awaitLead() {
        try {
            Optional<Leadership> term = neli.awaitLeadership(PATIENCE);
            assertThat(term).as("%s leads; %s", name, neli.snapshot()).isPresent();
            return term.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    <T extends LeaderEvent> T awaitEvent(Class<T> kind) {
        return awaitEvents(kind, 1).get(0);
    }

    <T extends LeaderEvent> List<T> awaitEvents(Class<T> kind, int count) {
        eventually().until(() -> events.of(kind).size() >= count);
        return events.of(kind);
    }

    List<String> ledRoles() {
        return neli.roles().stream().filter(neli::isLeader).toList();
    }

    /** Waits until one of these members leads the role; returns it. */
    static TestMember leaderOf(String role, TestMember... members) {
        return eventually()
                .until(
                        () -> Stream.of(members)
                                .filter(member -> member.neli.isLeader(role))
                                .toList(),
                        leaders -> leaders.size() == 1)
                .get(0);
    }

    /** Waits until these members are the group, and the owner of each partition leads it. */
    static void awaitSettled(TestMember... members) {
        eventually().untilAsserted(() -> {
            for (TestMember member : members) {
                assertThat(member.neli.snapshot().groupMembers()).isEqualTo(members.length);
                assertThat(member.neli.snapshot().partitions())
                        .allSatisfy(partition ->
                                assertThat(partition.leader()).isPresent().isEqualTo(partition.groupOwner()));
            }
        });
    }

    void awaitNoProblem() {
        eventually().until(() -> neli.snapshot().problem().isEmpty());
    }

    void awaitRunning() {
        eventually().until(() -> neli.snapshot().status() == NeliSnapshot.Status.RUNNING);
    }

    /** Waits for this problem. Others may come first, such as that the servers do not answer. */
    void awaitProblem(String... words) {
        eventually().untilAsserted(() -> assertThat(neli.snapshot().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(words)));
    }

    /** Begins work on the caller's thread, which may be possible only a moment after the events. */
    LeaderWork awaitWork() {
        return eventually()
                .pollInSameThread()
                .until(() -> neli.beginWork(), Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void close() {
        neli.close();
        events.assertLegal();
        events.assertOnThread("neli-" + name + "-events");
    }

    /**
     * Waits until all terms of these members are older than {@link #LEASE}. Another member's claim that was on its way
     * to the log could still supersede a younger term.
     */
    static void awaitOldTerms(TestMember... members) {
        eventually().untilAsserted(() -> assertThat(Stream.of(members)
                        .flatMap(member -> member.neli.snapshot().partitions().stream())
                        .filter(NeliSnapshot.Partition::leading))
                .isNotEmpty()
                .allSatisfy(partition -> assertThat(partition.leadingFor()).isGreaterThan(LEASE)));
    }
}
