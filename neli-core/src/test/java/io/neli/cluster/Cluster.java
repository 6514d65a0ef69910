package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.neli.cluster.Line.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/** The members of one group, each in its own JVM, and everything that is known of them. */
public final class Cluster implements AutoCloseable {

    /** The limit for waits whose duration depends on the machine. No verdict depends on it. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    /** The builder's default. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(3);

    private static final Duration DEFAULT_HEARTBEAT = Duration.ofMillis(500);

    private final String group;
    private final Map<String, String> servers;
    private Duration lease;
    private Duration heartbeat;
    private final File counter;
    private final List<String> names;
    private final Timeline timeline = new Timeline();
    private final Map<String, MemberProcess> members = new TreeMap<>();
    private final Map<String, Integer> starts = new TreeMap<>();
    private List<String> options = List.of();
    private Map<String, Map<String, String>> environments = Map.of();

    /**
     * Creates members without starting them.
     *
     * @param directory for what the members share
     * @param servers the address of the brokers for each member
     */
    public Cluster(Path directory, String purpose, Duration lease, Duration heartbeat, Map<String, String> servers) {
        this.group = purpose + "-" + UUID.randomUUID().toString().substring(0, 8);
        this.servers = servers;
        this.lease = lease;
        this.heartbeat = heartbeat;
        this.names = servers.keySet().stream().sorted().toList();
        this.counter = directory.resolve(group + ".counter").toFile();
    }

    public static Cluster withDefaults(ServerProcess broker, String purpose, String servers, String... names) {
        Map<String, String> addresses =
                List.of(names).stream().collect(Collectors.toMap(name -> name, name -> servers));
        return new Cluster(broker.directory(), purpose, DEFAULT_LEASE, DEFAULT_HEARTBEAT, addresses);
    }

    /** Further options of the members, as {@code key=value}; see {@link MemberMain}. */
    public Cluster with(String... more) {
        options = List.of(more);
        return this;
    }

    /** Further environment variables of each member. */
    public Cluster withEnvironments(Map<String, Map<String, String>> more) {
        environments = more;
        return this;
    }

    /** Sets the timing of members that are started from now on. */
    public void changeTiming(Duration newLease, Duration newHeartbeat) {
        lease = newLease;
        heartbeat = newHeartbeat;
    }

    public Duration lease() {
        return lease;
    }

    public String group() {
        return group;
    }

    public List<String> names() {
        return names;
    }

    public Timeline timeline() {
        return timeline;
    }

    public Optional<MemberProcess> member(String name) {
        return Optional.ofNullable(members.get(name)).filter(MemberProcess::isAlive);
    }

    /** The latest start of each member, whether it runs or not. */
    public List<MemberProcess> latest() {
        return List.copyOf(members.values());
    }

    /** Members that run, even if they are stopped, and were not asked to end. */
    public List<MemberProcess> alive() {
        return members.values().stream().filter(MemberProcess::isAlive).toList();
    }

    /** Starts a member, with further options for it alone. */
    public MemberProcess start(String name, String... more) {
        MemberProcess former = members.get(name);
        if (former != null) {
            former.awaitEnd(LIMIT);
        }
        String label = name + "#" + starts.merge(name, 1, Integer::sum);
        List<String> arguments = new ArrayList<>(List.of(
                "servers=" + Objects.requireNonNull(servers.get(name), name),
                "group=" + group,
                "name=" + name,
                "lease=" + lease.toMillis(),
                "heartbeat=" + heartbeat.toMillis(),
                "counter=" + counter));
        arguments.addAll(options);
        arguments.addAll(List.of(more));
        JavaProcess process = JavaProcess.start(
                List.of(),
                group + ".log",
                environments.getOrDefault(name, Map.of()),
                JavaProcess.quick("-Xmx96m"),
                MemberMain.class,
                arguments.toArray(String[]::new));
        MemberProcess member = MemberProcess.of(name, label, timeline, process);
        members.put(name, member);
        return member;
    }

    /** Starts the missing members. Returns when all read and write the log. */
    public void startMissing() {
        names.stream().filter(name -> member(name).isEmpty()).forEach(this::start);
        for (MemberProcess member : members.values()) {
            Await.until(member.label() + " is up", LIMIT, () -> {
                assertThat(member.isAlive()).as(member.label() + " is alive").isTrue();
                return member.state("status").equals("RUNNING");
            });
        }
    }

    /** Waits until all members run and one leads: the state in which each test begins. */
    public MemberProcess complete() {
        startMissing();
        return awaitLeader();
    }

    public Optional<MemberProcess> leader() {
        return members.values().stream().filter(MemberProcess::leads).findFirst();
    }

    /** Waits until a member leads and its listener has been notified, a moment after the first true answer. */
    public MemberProcess awaitLeader() {
        AtomicReference<MemberProcess> found = new AtomicReference<>();
        Await.until("somebody leads " + group, LIMIT, () -> {
            leader().filter(this::isNotified).ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    private boolean isNotified(MemberProcess leader) {
        Optional<Line> leads = timeline.last(line -> leader.isFrom(line) && line.kind() == Kind.LEADS);
        return timeline.last(line -> leader.isFrom(line) && line.kind() == Kind.ACQUIRED)
                .filter(acquired -> leads.isPresent()
                        && acquired.text("token").equals(leads.get().text("token")))
                .isPresent();
    }

    /** The first acquisition after {@code afterNanos} by another start of a member than {@code former}. */
    public Line awaitTakeoverFrom(MemberProcess former, long afterNanos) {
        return await(line -> line.kind() == Kind.ACQUIRED && !former.isFrom(line) && line.nanos() > afterNanos);
    }

    /** A line of this kind by the member, after {@code afterNanos}. */
    public Line await(MemberProcess member, Kind kind, long afterNanos) {
        return await(line -> member.isFrom(line) && line.kind() == kind && line.nanos() > afterNanos);
    }

    private Line await(Predicate<Line> condition) {
        Await.until(group + " goes on", LIMIT, () -> timeline.first(condition).isPresent());
        return timeline.first(condition).orElseThrow();
    }

    public MemberProcess process(Line line) {
        return members.values().stream()
                .filter(member -> member.isFrom(line))
                .findFirst()
                .orElseThrow();
    }

    /** The token of the latest term that any member acquired. */
    public long latestToken() {
        return timeline.last(line -> line.kind() == Kind.ACQUIRED).orElseThrow().number("token");
    }

    /** Events of all members after this instant. */
    public List<Line> eventsAfter(long nanos) {
        return timeline.notable().stream()
                .filter(line -> line.nanos() > nanos)
                .filter(line -> switch (line.kind()) {
                    case ACQUIRED, REVOKED, FENCED, LEADS_NOT -> true;
                    default -> false;
                })
                .toList();
    }

    /** Checks that, up to now, two never led, tokens grow, and events are in order. */
    public void check() {
        assertThat(History.violations(timeline.all())).as(group).isEmpty();
    }

    /** Ends all members gracefully, and checks everything they did. */
    public void endAndCheck() {
        try {
            // A leader that is ended immediately may not have done anything yet.
            Await.until("somebody has counted", LIMIT, () -> counted() > 0);
            endProcesses();
            check();
            checkCounter();
        } finally {
            writeDown();
        }
    }

    /** Ends all members gracefully. */
    public void endProcesses() {
        for (MemberProcess member : alive()) {
            if (member.isStopped()) {
                member.resume();
            }
            member.terminate();
        }
        members.values().forEach(member -> member.awaitEnd(LIMIT));
    }

    /** The value that the members have counted to. */
    public long counted() {
        try {
            return new Counter(counter).read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkCounter() {
        List<Line> lines = timeline.all();
        long value = counted();
        assertThat(Bumps.violations(lines, value)).as(group).isEmpty();
        assertThat(value).as("increments").isPositive();
    }

    /** Writes down all lines, for humans. */
    public void writeDown() {
        List<String> text = new ArrayList<>();
        timeline.notable().forEach(line -> text.add(line.toString()));
        try {
            Files.write(JavaProcess.logDirectory().resolve(group + ".timeline"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves no process behind. */
    @Override
    public void close() {
        if (!alive().isEmpty()) { // only after a failed test
            writeDown();
        }
        members.values().forEach(MemberProcess::destroy);
    }
}
