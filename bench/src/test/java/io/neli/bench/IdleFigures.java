package io.neli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.bench.ProcessUsage.ThreadUsage;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.cluster.JavaProcess;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import io.neli.cluster.ServerProcess;
import io.neli.cluster.Timeline;

/**
 * Measures what members cost while nothing happens: a leader and two standbys with the default settings, each in an
 * ordinary JVM.
 */
final class IdleFigures {

    /** In milliseconds of processor time per second: 10 are 1 % of a core. */
    private static final double STANDBY_TARGET = 5;

    private static final double LEADER_TARGET = 8;

    private static final double LEAST_SHOWN = 0.05;

    private final ServerProcess servers;
    private final Duration time;
    private final List<String> clients;
    private final Timeline timeline = new Timeline();
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /** Measures for {@code time}, after a warm-up of a fifth of it. */
    IdleFigures(ServerProcess servers, Duration time) {
        this.servers = servers;
        this.time = time;
        this.clients = servers instanceof BrokerProcess ? List.of("log", "group", "out", "admin") : List.of();
    }

    List<Figure> rest() {
        String group = "idle-" + UUID.randomUUID().toString().substring(0, 8);
        List<MemberProcess> members = new ArrayList<>();
        try {
            for (String name : List.of("a", "b", "c")) {
                JavaProcess process = JavaProcess.start(
                        List.of(),
                        group + ".log",
                        Map.of(),
                        List.of(), // like an application
                        IdleMemberMain.class,
                        servers.address(),
                        group,
                        name);
                members.add(MemberProcess.of(name, name, timeline, process));
            }
            Await.until(
                    "a group of three with a leader",
                    Cluster.LIMIT,
                    () -> members.stream().allMatch(member -> ask(member, "state", "group")
                                    .equals("3"))
                            && members.stream().anyMatch(member -> isLeader(member)));
            Await.elapsed(time.dividedBy(5));
            Map<MemberProcess, Sample> before = new LinkedHashMap<>();
            members.forEach(member -> before.put(member, Sample.of(member, this)));
            Await.elapsed(time);
            members.forEach(member -> add(isLeader(member), before.get(member), Sample.of(member, this)));
        } finally {
            members.forEach(MemberProcess::destroy);
        }
        return List.copyOf(figures.values());
    }

    private boolean isLeader(MemberProcess member) {
        return ask(member, "state", "leader").equals("true");
    }

    /** Asks the member for a new state, and returns a field of it. */
    private String ask(MemberProcess member, String what, String field) {
        long asked = System.nanoTime();
        member.say(what);
        Await.until("an answer", Cluster.LIMIT, () -> timeline.last(
                        line -> member.isFrom(line) && line.kind() == Kind.STATE && line.nanos() > asked)
                .isPresent());
        return member.state(field);
    }

    /** What a member has used, and how many requests its clients have sent, up to an instant. */
    private record Sample(long nanos, ProcessUsage usage, Map<String, Long> requests) {

        static Sample of(MemberProcess member, IdleFigures figures) {
            Map<String, Long> requests = new LinkedHashMap<>();
            figures.clients.forEach(
                    client -> requests.put(client, Long.valueOf(figures.ask(member, "requests", client))));
            return new Sample(System.nanoTime(), ProcessUsage.of(member.pid()), requests);
        }
    }

    private void add(boolean leads, Sample before, Sample after) {
        String who = leads ? "leader at rest" : "standby at rest";
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        figure(who + ": processor time in a second", "ms", leads ? LEADER_TARGET : STANDBY_TARGET)
                .add((after.usage().processor().toMillis()
                                - before.usage().processor().toMillis())
                        / seconds);
        clients.forEach(client -> figure(who + ": requests of client '" + client + "' in a second", "", Double.NaN)
                .add((after.requests().get(client) - before.requests().get(client)) / seconds));
        after.usage().threads().forEach((thread, used) -> {
            ThreadUsage unused = before.usage().threads().getOrDefault(thread, ThreadUsage.NONE);
            double rate = (used.wakeups() - unused.wakeups()) / seconds;
            double millis = (used.nanos() - unused.nanos()) / 1e6 / seconds;
            if (millis >= LEAST_SHOWN || rate >= LEAST_SHOWN) {
                String whose = who + ": thread '" + unnamed(thread) + "'";
                figure(whose + ", processor time in a second", "ms", Double.NaN).add(millis);
                figure(whose + ", wake-ups in a second", "", Double.NaN).add(rate);
            }
        });
    }

    /** The thread's name without the member's name. */
    private static String unnamed(String thread) {
        return thread.replaceFirst("^neli-[abc]-", "neli-");
    }

    private Figure figure(String name, String unit, double target) {
        return figures.computeIfAbsent(name, added -> new Figure(added, unit, target, Double.NaN));
    }
}
