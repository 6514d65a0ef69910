package io.neli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.neli.Job.Guarantee;
import io.neli.internal.kafka.Brokers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JobsIT {

    private static final Job.Schedule DAILY = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);
    private static final Job.Schedule EVERY_20_MS = new Job.FixedRate(Duration.ofMillis(20), Duration.ZERO);

    private final String group = TestServers.unusedName("jobs");
    private final String topic = group + ".neli.runs";
    private final List<Job.Run> runs = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private Job job(Job.Schedule schedule, Job.Task task) {
        return job("close books", schedule, task);
    }

    private Job job(String name, Job.Schedule schedule, Job.Task task) {
        return new Job(name, Neli.DEFAULT_ROLE, schedule, Guarantee.AT_LEAST_ONCE, threads, task);
    }

    private TestMember start(String name, Consumer<NeliBuilder> more, Job... jobs) {
        TestMember member = TestMember.of(group, name, more);
        List.of(jobs).forEach(member.neli::schedule);
        member.neli.start();
        return member;
    }

    @Test
    void each_time_of_a_job_comes_once_whoever_leads() {
        AtomicInteger atOnce = new AtomicInteger();
        Set<Long> terms = ConcurrentHashMap.newKeySet();
        Job.Task task = run -> {
            assertThat(atOnce.incrementAndGet()).isOne();
            runs.add(run);
            terms.add(run.leadership().token());
            atOnce.decrementAndGet();
        };
        List<TestMember> members = new ArrayList<>();
        try {
            for (String name : List.of("one", "two", "three")) {
                // Two may claim at the same time, which costs one lease.
                members.add(
                        start(name, builder -> builder.leaseDuration(Duration.ofSeconds(20)), job(EVERY_20_MS, task)));
            }
            for (int handovers : List.of(0, 1, 2)) {
                int before = runs.size();
                eventually().until(() -> runs.size() >= before + 3 && terms.size() > handovers);
                members.stream()
                        .filter(member -> member.neli.isLeader())
                        .forEach(member -> member.neli.resign(Duration.ofMillis(10)));
            }
        } finally {
            members.forEach(TestMember::close);
        }
        assertThat(runs).extracting(Job.Run::dueAt).doesNotHaveDuplicates().isSorted();
        assertThat(runs).extracting(Job.Run::repeated).containsOnly(false);
    }

    @Test
    void a_run_that_its_leader_did_not_finish_is_repeated_by_the_next() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Job hanging = job(DAILY, run -> {
            runs.add(run);
            begun.countDown();
            new CountDownLatch(1).await();
        });
        try (TestMember first = start("first", builder -> builder.handoverTimeout(Duration.ofMillis(300)), hanging)) {
            assertThat(begun.await(2, TimeUnit.MINUTES)).as(first.name).isTrue();
        }
        try (TestMember second = start("second", builder -> {}, job(DAILY, runs::add))) {
            eventually().until(() -> second.neli.snapshot().jobs().get(0).last().stream()
                    .anyMatch(last -> last.ended().isPresent()));
        }
        assertThat(runs).hasSize(2);
        assertThat(runs.get(1).repeated()).isTrue();
        assertThat(runs.get(1).dueAt()).isEqualTo(runs.get(0).dueAt());
        try (TestMember third = start("third", builder -> {}, job(DAILY, runs::add))) {
            eventually().untilAsserted(() -> assertThat(third.neli.snapshot().jobs())
                    .first()
                    .satisfies(job -> {
                        assertThat(job.last()).map(NeliSnapshot.LastRun::member).contains("second");
                        assertThat(job.nextDue()).contains(runs.get(0).dueAt().plus(Duration.ofDays(1)));
                    }));
            assertThat(runs).hasSize(2);
        }
    }

    @Test
    void jobs_that_could_not_work_are_refused() {
        Job job = job(DAILY, run -> {});
        TestMember two = TestMember.of(group, "two", builder -> {});
        two.neli.schedule(job);
        assertThatThrownBy(() -> two.neli.schedule(job))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("two jobs named 'close books'");
        two.neli.unschedule("close books");
        two.neli.schedule(job);
        TestMember other = TestMember.of(group, "other", builder -> builder.mode(Mode.NON_EXCLUSIVE));
        assertThatThrownBy(() -> other.neli.schedule(job))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("neli.mode is 'non-exclusive'");
        assertThatThrownBy(() -> new Job.FixedRate(Duration.ofNanos(5), Duration.ZERO))
                .hasMessageContaining("use 1 ms or more");
        assertThatThrownBy(() -> new Job(" ", "", job.schedule(), job.guarantee(), threads, job.task()))
                .hasMessageContaining("the name of a job is ' '");
    }

    @Tag(TestServers.KAFKA)
    @Test
    void the_topic_is_compacted_and_holds_no_more_than_the_last_runs() {
        try (TestMember member = start("one", LASTING, job(EVERY_20_MS, runs::add))) {
            eventually().until(() -> runs.size() > 5);
            member.awaitNoProblem();
            assertThat(Brokers.shared().config(topic))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "cleanup.policy", "compact",
                            "segment.bytes", "1048576",
                            "min.cleanable.dirty.ratio", "0.1",
                            "unclean.leader.election.enable", "false"));
        }
        String cluster = Brokers.shared().clusterId();
        assertThat(Brokers.shared().read(topic))
                .allSatisfy(record -> assertThat(
                                record.headers().lastHeader("cluster").value())
                        .isEqualTo(bytes(cluster)))
                .filteredOn(record -> record.value() != null && record.value().length > 0)
                .last()
                .satisfies(last -> assertThat(new String(last.value(), StandardCharsets.UTF_8).lines())
                        .first()
                        .isEqualTo("job: close books"));
    }

    @Tag(TestServers.KAFKA)
    @Test
    void a_topic_that_forgets_runs_is_refused_and_jobs_continue_once_it_is_fixed() {
        Brokers.shared().create(topic, 1, Map.of("cleanup.policy", "compact,delete"));
        try (TestMember member = start("one", LASTING, job(DAILY, runs::add))) {
            member.awaitLead();
            member.awaitProblem("the topic '" + topic + "'", "cleanup.policy 'compact,delete'", "kafka-configs.sh");
            assertThat(runs).isEmpty();
            assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.RUNNING);
            eventually().untilAsserted(() -> assertThat(member.neli.snapshot().jobs())
                    .allSatisfy(job -> assertThat(job.nextDue())
                            .as("a job that is overdue")
                            .isPresent()));

            Brokers.shared().configure(topic, Map.of("cleanup.policy", "compact"));
            eventually().until(() -> runs.size() == 1);
            member.awaitNoProblem();
        }
    }

    /** Brokers create a missing topic for the producer of a running leader, which would not ask for its settings. */
    @Tag(TestServers.KAFKA)
    @Test
    void a_topic_that_is_created_again_while_a_member_leads_is_checked_again() {
        Job.Schedule often = new Job.FixedRate(Duration.ofMillis(100), Duration.ZERO);
        try (TestMember member = start("one", LASTING, job(often, runs::add))) {
            eventually().until(() -> runs.size() > 1);
            Brokers.shared().delete(topic);
            member.awaitProblem("the topic '" + topic + "'", "cleanup.policy 'delete'", "kafka-configs.sh");

            Brokers.shared().configure(topic, Map.of("cleanup.policy", "compact"));
            int before = runs.size();
            eventually().until(() -> runs.size() > before + 1);
            member.awaitNoProblem();
        }
    }

    @Tag(TestServers.KAFKA)
    @Test
    void what_is_not_a_record_stops_nobody_and_a_clock_that_was_ahead_is_reported() {
        Brokers.shared().create(topic, 1, Map.of("cleanup.policy", "compact"));
        for (String bad : List.of("", "nonsense", "1 0 close books", "x y z", "g 9 9 " + "j".repeat(5_000))) {
            Brokers.shared().append(topic, bytes(bad), bytes("job: x\ndue: never"), Map.of());
            Brokers.shared().append(topic, bytes(bad), new byte[100_000], Map.of());
        }
        Instant future = Instant.parse("2100-01-01T00:00:00Z");
        String ahead = "\ndue: " + future + "\nschedule: rate PT24H\nmember: x\ntoken: 1\nnew-field: ignored";
        Brokers.shared().append(topic, bytes(group + " 1 0 other"), bytes("job: other" + ahead), Map.of());
        Map<String, byte[]> mirrored = Map.of("cluster", bytes("another, whose topics are mirrored"));
        Brokers.shared().append(topic, bytes(group + " 2 0 close books"), bytes("job: close books" + ahead), mirrored);
        try (TestMember member = start("one", LASTING, job(DAILY, runs::add), job("other", DAILY, runs::add))) {
            eventually().until(() -> runs.size() == 1);
            member.awaitProblem("job 'other': a run is recorded for 2100-01-01T00:00:00Z", "set the clocks");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
