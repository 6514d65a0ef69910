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

/** A member on the shared broker, with the events that it was notified of. */
public final class TestMember implements AutoCloseable {

    /** Long enough for any machine; no test waits so long but one that fails. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A busy machine does not stall for so long. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** No machine stalls for so long, and no test waits for so long: a resignation that nobody reads is noticed. */
    static final Duration LONG_LEASE = Duration.ofMinutes(5);

    /**
     * No load ends the terms of such a member. For tests in which nobody waits for a lease: neither for its end, nor to
     * ask for a handover, which an owner does once per lease, nor at the start, as on a log that other groups have
     * written to.
     */
    static final Consumer<NeliBuilder> LASTING = builder -> builder.leaseDuration(LONG_LEASE);

    /**
     * For tests that wait until leases have ended. A machine that stalls ends more of them, so that such tests tell
     * only what holds in the end.
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

    /** With timing that is quick, and yet far from what a busy machine does to it. */
    private static NeliBuilder builder(String servers, String groupId, String name) {
        return TestServers.get()
                .builder(servers)
                .groupId(groupId)
                .name(name)
                .heartbeatInterval(Duration.ofMillis(100))
                .leaseDuration(LEASE)
                .handoverTimeout(PATIENCE);
    }

    static TestMember start(String groupId, String name) {
        return start(groupId, name, builder -> {});
    }

    static TestMember start(String groupId, String name, Consumer<NeliBuilder> more) {
        TestMember member = of(groupId, name, more);
        member.neli.start();
        return member;
    }

    static TestMember of(String groupId, String name, Consumer<NeliBuilder> more) {
        return of(TestServers.get().shared(), groupId, name, more);
    }

    /** On other servers than the shared ones. */
    static TestMember of(String servers, String groupId, String name, Consumer<NeliBuilder> more) {
        EventRecorder events = new EventRecorder();
        NeliBuilder builder = builder(servers, groupId, name).listener(events);
        more.accept(builder);
        return new TestMember(name, events, builder.build());
    }

    /** Starts a member that leads, and has been notified of it. */
    static TestMember startLeader(String groupId, String name) {
        return startLeader(groupId, name, builder -> {});
    }

    static TestMember startLeader(String groupId, String name, Consumer<NeliBuilder> more) {
        TestMember member = start(groupId, name, more);
        member.awaitLead();
        member.awaitEvent(LeaderAcquired.class);
        return member;
    }

    /** Starts a member that knows who leads. */
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

    /** The names of the live threads that begin with that. */
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

    /** Others may come before it, such as that the servers do not answer. */
    void awaitProblem(String... words) {
        eventually().untilAsserted(() -> assertThat(neli.snapshot().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(words)));
    }

    /** Work on the caller's thread, which may begin a moment after the events. */
    LeaderWork awaitWork() {
        return awaitWork(neli.defaultRole());
    }

    LeaderWork awaitWork(String role) {
        return eventually()
                .pollInSameThread()
                .until(() -> neli.beginWork(role), Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Waits until heartbeats sent after this call have renewed its lease, which is a {@linkplain #LASTING long one}.
     */
    void awaitRenewals(int count) {
        for (int renewals = 0; renewals < count; renewals++) {
            long since = System.nanoTime();
            eventually().until(() -> {
                long asked = System.nanoTime();
                Duration left = neli.snapshot().partitions().get(0).leaseLeft();
                // What was sent before ends earlier.
                return !left.isZero() && asked - since + left.toNanos() > LONG_LEASE.toNanos();
            });
        }
    }

    @Override
    public void close() {
        neli.close();
        events.assertLegal();
        events.assertOnThread("neli-" + name + "-events");
    }

    /**
     * Waits until what these members lead has been led for {@link #LEASE}. A claim that was on its way to the log when
     * another member claimed could still supersede a younger term.
     */
    static void awaitOldTerms(TestMember... members) {
        eventually().untilAsserted(() -> assertThat(Stream.of(members)
                        .flatMap(member -> member.neli.snapshot().partitions().stream())
                        .filter(NeliSnapshot.Partition::leading))
                .isNotEmpty()
                .allSatisfy(partition -> assertThat(partition.leadingFor()).isGreaterThan(LEASE)));
    }
}
