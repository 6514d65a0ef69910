package io.neli.internal.member;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.kafka.KafkaElection;
import io.neli.internal.kafka.KafkaSettings;
import io.neli.internal.kafka.MemberClock;
import io.neli.internal.kafka.Problem;
import org.jspecify.annotations.Nullable;

/** The order of a Kafka log decides who leads. */
public final class KafkaEngine implements Engine {

    private static final long PAUSE_MILLIS = 10;

    private final MemberSettings settings;
    private final MemberClock clock = MemberClock.system();
    private final KafkaElection election;
    private final CountDownLatch closed = new CountDownLatch(1);

    private KafkaEngine(MemberSettings settings, KafkaSettings kafka, Consumer<LeaderEvent> events) {
        this.settings = settings;
        this.election = new KafkaElection(kafka, clock, events, settings.metrics());
    }

    /**
     * How to reach Kafka, and how to create the leader topic.
     *
     * @param client client properties of the application
     * @param candidate whether this member may lead
     * @param priority eligible members of the highest priority are assigned the partitions
     * @param createTopic whether a missing topic is created
     * @param replicationFactor of a topic that is created; null for three, or the number of brokers if that is less
     * @param retention of a topic that is created
     */
    public record Options(
            Map<String, Object> client,
            boolean candidate,
            int priority,
            boolean createTopic,
            @Nullable Integer replicationFactor,
            Duration retention) {}

    public static Factory factory(MemberSettings settings, Options options) {
        GroupConfig groupConfig = new GroupConfig(
                settings.mode(), settings.roles().partitions(), settings.roles().fingerprint(), settings.quorum());
        KafkaSettings kafka = new KafkaSettings(
                options.client(),
                settings.name(),
                settings.groupId(),
                settings.topic(),
                options.candidate(),
                options.priority(),
                options.createTopic(),
                options.replicationFactor(),
                options.retention(),
                new ElectionSettings(
                        settings.leaseDuration(),
                        settings.heartbeatInterval(),
                        settings.handoverTimeout(),
                        groupConfig,
                        settings.metadata()));
        return events -> new KafkaEngine(settings, kafka, events);
    }

    @Override
    public void start() {
        election.start();
    }

    @Override
    public void awaitStarted(@Nullable Duration limit) {
        if (limit == null) {
            return;
        }
        MonotonicTime deadline = clock.time().plus(limit);
        try {
            do {
                boolean running = election.isRunning();
                boolean over = clock.time().hasReached(deadline);
                Optional<Problem> problem = election.logProblem().filter(now -> !now.passing() || (over && !running));
                if (problem.isPresent()) {
                    throw new NeliException(problem.get().what(), problem.get().fix());
                }
                if (running) {
                    return;
                }
                if (over) {
                    throw new NeliException(
                            "the brokers have not answered within neli.fail-fast, which is '"
                                    + SettingsCheck.text(Objects.requireNonNullElse(settings.failFast(), limit)) + "'",
                            "check the address, the network and the brokers' logs");
                }
            } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NeliException("the start was interrupted", "start again");
        }
    }

    @Override
    public boolean leads(int partition, long token) {
        return election.leads(partition).orElse(-1) == token;
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return election.leader(partition)
                .map(term -> new Leader(
                        role,
                        term.holder().name(),
                        term.token(),
                        term.holder().equals(election.self()),
                        term.metadata()));
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {
        election.drained(partition, token, fenced);
    }

    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {
        election.resign(partition, cooldown);
    }

    @Override
    public void pause(@Nullable Integer partition, boolean paused) {
        election.pause(partition, paused);
    }

    @Override
    public void candidate(boolean candidate) {
        election.candidate(candidate);
    }

    @Override
    public NeliSnapshot snapshot() {
        return Snapshots.of(settings, election);
    }

    @Override
    public void close() {
        closed.countDown();
        election.close();
    }
}
