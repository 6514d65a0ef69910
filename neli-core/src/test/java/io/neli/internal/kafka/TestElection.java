package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.EventRecorder;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.ElectionThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellTests;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** An election on Kafka without the API, whose clients and clock a test controls. */
final class TestElection implements AutoCloseable {

    final EventRecorder events = new EventRecorder();
    final ControlledClients clients;
    private final AtomicReference<Duration> skipped = new AtomicReference<>(Duration.ZERO);
    final KafkaSettings settings;
    private final Problems problems;
    private final ElectionThread election;
    final ElectionDriver driver;

    TestElection(KafkaSettings settings) {
        this.settings = settings;
        this.clients = new ControlledClients(settings);
        this.problems = new Problems(settings.shell().groupId());
        this.election = new ElectionThread(
                settings.shell(),
                self -> new KafkaLogs(settings, this::now, problems, self, clients),
                this::now,
                ShellTests.effects(this::onEvent, settings.shell(), problems));
        this.driver = election.driver();
    }

    void start() {
        election.start();
    }

    boolean isRunning() {
        return election.isRunning();
    }

    Optional<String> problem() {
        return problems.mostSerious().map(Problem::text);
    }

    private Moment now() {
        Moment now = MemberClock.system().now();
        return new Moment(now.time().plus(skipped.get()), now.wallMillis());
    }

    private void onEvent(LeaderEvent event) {
        events.onEvent(event);
        if (!(event instanceof LeaderAcquired)) { // no work has to end first
            driver.drained(event.partition(), event.token(), event instanceof LeaderFenced);
        }
    }

    long awaitLead(int partition) {
        return eventually()
                .until(() -> driver.leads(partition), OptionalLong::isPresent)
                .getAsLong();
    }

    boolean isFenced() {
        return !events.of(LeaderFenced.class).isEmpty();
    }

    long position(int partition) {
        return driver.state().partitions().get(partition).logs().get(0).position();
    }

    LeaderFenced awaitFenced() {
        eventually().until(this::isFenced);
        return events.of(LeaderFenced.class).get(0);
    }

    private MonotonicTime leaseEnd(int partition) {
        return driver.state().partitions().get(partition).logs().get(0).lease().until();
    }

    void awaitRenewal(int partition) {
        MonotonicTime before = leaseEnd(partition);
        eventually().until(() -> leaseEnd(partition).compareTo(before) > 0);
    }

    /** Lets more than a lease pass on the member's clock, during which it renews the leases that it holds as leader. */
    void letLeasePass(int... led) {
        Duration lease = settings.shell().election().leaseDuration();
        for (int quarters = 0; quarters < 6; quarters++) {
            skipped.updateAndGet(lease.dividedBy(4)::plus);
            MonotonicTime renewed = now().time().plus(lease); // by records sent from now on
            for (int partition : led) {
                eventually().until(() -> leaseEnd(partition).hasReached(renewed));
            }
        }
    }

    /** Waits for this problem. Others may come first. */
    void awaitProblem(String... words) {
        eventually().untilAsserted(() -> assertThat(problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(words)));
    }

    @Override
    public void close() {
        election.close();
    }
}
