package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliMetrics.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the rules of one job in a group of three. An oracle decides who leads, and grants leases and tokens.
 * Members are killed, frozen, and cut off from the others or the topic, mostly around a due time. Clocks differ by up
 * to a second, releases by more. Records are late, even those of the dead and those given up. A tick is 100 ms.
 */
final class SimulatedRuns {

    static final int PERIOD = 200;
    private static final int QUIET = 2400;
    private static final int END = 3000;
    private static final int LEASE = 10;
    private static final int SKEW = 10;
    private static final int GIVEN_UP = 25;
    /** A leader without faults for this long has run what is due. */
    private static final int CALM = 100;

    private static final long MILLIS = 100;
    private static final int PLACES = 3;

    private final Random random;
    private final Guarantee guarantee;
    private final int kind;
    private final int[] skews;
    private final Member[] members = new Member[PLACES];
    /** The topic keeps the last record of each key. */
    private final Map<RunKey, RunRecord> topic = new HashMap<>();

    private final List<Written> history = new ArrayList<>();
    private final List<Sent> onTheWay = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final int[] calm = new int[END];
    private final Map<Integer, Integer> frozen = new HashMap<>();
    private final Map<Integer, Integer> down = new HashMap<>();
    private Set<Integer> cutFromTopic = Set.of();
    private Set<Integer> cutFromElection = Set.of();
    private int now;
    private @Nullable Member leader;
    private long token;
    private int electedAt;
    private int leaseUntil;
    private int nextAt = 5;
    private int handoverAt = Integer.MAX_VALUE;
    private @Nullable String violation;

    private record Written(int at, RunRecord record) {}

    private record Event(int at, boolean begins, Instant due, int readAt) {}

    /** A run that waits for a thread. */
    private record HandedOver(JobTerm by, Instant due, int beginsAt) {}

    /** A record, or a deletion, on its way to the topic. */
    private final class Sent {
        final Member member;
        final JobTerm by;
        final RunKey key;
        final @Nullable RunRecord record;
        final int sentAt = now;
        int arrives;
        boolean givenUp;

        Sent(Member member, JobTerm by, RunKey key, @Nullable RunRecord record, int arrives) {
            this.member = member;
            this.by = by;
            this.key = key;
            this.record = record;
            this.arrives = arrives;
        }
    }

    SimulatedRuns(long seed) {
        random = new Random(seed);
        guarantee = seed % 2 == 0 ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE;
        kind = (int) (seed / 2 % 6); // half have other schedules
        skews = IntStream.range(0, PLACES)
                .map(place -> random.nextInt(2 * SKEW + 1) - SKEW)
                .toArray();
        for (int place = 0; place < PLACES; place++) {
            members[place] = new Member(place);
        }
    }

    private Job job(int place) {
        Duration period = Duration.ofMillis(PERIOD * MILLIS);
        Job.Schedule schedule =
                switch (kind) {
                    case 3 -> new Job.FixedRate(period, Duration.ZERO);
                    case 4 -> new Job.FixedDelay(period, Duration.ofSeconds(1));
                    case 5 -> new Job.Times("release " + place, time -> next(time, place * 5_000));
                    default -> new Job.Times("every " + period, time -> next(time, 0));
                };
        return new Job("job", "role", schedule, guarantee, Runnable::run, run -> {
            throw new IllegalStateException("simulated");
        });
    }

    private static Instant next(Instant time, int shift) {
        long period = PERIOD * MILLIS;
        return Instant.ofEpochMilli((Math.floorDiv(time.toEpochMilli() - shift, period) + 1) * period + shift);
    }

    private final class Member {
        final int place;
        final Deque<HandedOver> handedOver = new ArrayDeque<>();
        private @Nullable JobTerm rules;
        private long term = -1;
        private int readsAt;
        private int hasReadAt;
        private @Nullable Instant running;
        private @Nullable JobTerm runsIn;
        private int left;

        Member(int place) {
            this.place = place;
        }

        boolean leads() {
            return leader == this && now < leaseUntil;
        }

        Instant clock() {
            return Instant.ofEpochMilli((now + skews[place]) * MILLIS);
        }

        void step() {
            work();
            if (rules != null) {
                endIfOver(rules);
            }
            if (leads() && term != token) {
                term = token;
                rules = new JobTerm(job(place), "member-" + place, token);
                readsAt = now + 1 + random.nextInt(3);
                hasReadAt = -1;
            }
            if (rules != null && term == token && leads() && hasReadAt >= 0) {
                perform(rules, rules.tick(clock()));
            } else if (rules != null && hasReadAt < 0 && now >= readsAt && !cutFromTopic.contains(place)) {
                hasReadAt = now; // it may have been frozen since it looked at its lease
                perform(rules, rules.read(new HashMap<>(topic), clock()));
            }
            beginHandedOver();
        }

        /** Called before each decision. */
        void endIfOver(JobTerm asked) {
            if (!leads() || term != token || asked != rules) {
                asked.over();
            }
        }

        void perform(JobTerm by, List<RunAction> actions) {
            for (RunAction action : actions) {
                if (action instanceof RunAction.Write write) {
                    RunRecord record = write.record();
                    boolean begins = record.begun() != null && record.ended() == null;
                    if (begins && record.token() == write.key().token() && !leads()) {
                        violation = "at " + now + " a run was recorded as begun after the term";
                    }
                    send(by, write.key(), record);
                } else if (action instanceof RunAction.Forget forget) {
                    forget.keys().forEach(key -> send(by, key, null));
                } else if (action instanceof RunAction.Begin begin) {
                    handedOver.add(new HandedOver(by, begin.dueAt(), now + random.nextInt(3)));
                }
            }
        }

        private void send(JobTerm by, RunKey key, @Nullable RunRecord record) {
            int earliest = onTheWay.stream()
                    .filter(sent -> sent.member == this && !sent.givenUp)
                    .mapToInt(sent -> sent.arrives)
                    .max()
                    .orElse(0);
            onTheWay.add(new Sent(this, by, key, record, Math.max(now + delay(), earliest)));
        }

        private void beginHandedOver() {
            HandedOver next = handedOver.peek();
            if (next == null || now < next.beginsAt()) {
                return;
            }
            handedOver.remove();
            if (leads() && next.by() == rules) {
                running = next.due();
                runsIn = next.by();
                left = 2 + random.nextInt(7);
                events.add(new Event(now, true, next.due(), hasReadAt));
            } else {
                perform(next.by(), next.by().notBegun());
            }
        }

        private void work() {
            if (running == null || runsIn == null) {
                return;
            }
            left--;
            if (!leads() && random.nextBoolean()) {
                running = null;
                endIfOver(runsIn);
                perform(runsIn, runsIn.ended(clock(), RunOutcome.INTERRUPTED));
            } else if (left <= 0) {
                events.add(new Event(now, false, running, hasReadAt));
                running = null;
                RunOutcome outcome = random.nextInt(4) > 0 ? RunOutcome.SUCCEEDED : RunOutcome.FAILED;
                perform(runsIn, runsIn.ended(clock(), outcome));
            }
        }

        boolean isDrained() {
            return running == null
                    && handedOver.isEmpty()
                    && onTheWay.stream().noneMatch(sent -> sent.member == this && !sent.givenUp);
        }
    }

    private boolean isUp(int place) {
        return !frozen.containsKey(place) && !down.containsKey(place);
    }

    private int delay() {
        double chance = random.nextDouble();
        if (chance < 0.6) {
            return 0;
        }
        return chance < 0.95 ? 1 : random.nextInt(20);
    }

    private void elect() {
        Member led = leader;
        boolean healthy =
                led != null && led == members[led.place] && isUp(led.place) && !cutFromElection.contains(led.place);
        List<Integer> able = new ArrayList<>(List.of(0, 1, 2));
        if (led != null && healthy) {
            if (!(now >= handoverAt && led.isDrained())) {
                leaseUntil = now + LEASE;
                return;
            }
            leaseUntil = now;
            handoverAt = Integer.MAX_VALUE;
            able.remove((Integer) led.place);
        }
        if (led != null && now >= leaseUntil) {
            leader = null;
            nextAt = now + List.of(0, 0, 1, 5, 30).get(random.nextInt(5));
            handoverAt = Integer.MAX_VALUE;
        }
        if (leader == null && now >= nextAt) {
            able.removeIf(place -> !isUp(place) || cutFromElection.contains(place));
            if (!able.isEmpty()) {
                leader = members[able.get(random.nextInt(able.size()))];
                token++;
                electedAt = now;
                leaseUntil = now + LEASE;
            }
        }
    }

    private void deliver() {
        for (Sent sent : List.copyOf(onTheWay)) {
            int place = sent.member.place;
            boolean alive = members[place] == sent.member && !down.containsKey(place);
            boolean cut = alive && cutFromTopic.contains(place);
            boolean awake = alive && !frozen.containsKey(place);
            if (sent.arrives <= now && !cut) {
                onTheWay.remove(sent);
                arrives(sent);
                if (alive && !sent.givenUp && sent.record != null) {
                    answer(sent, awake);
                }
            } else if (awake && !sent.givenUp && now - sent.sentAt >= GIVEN_UP) {
                sent.givenUp = true; // it may still arrive after the record that replaces it
                sent.arrives = now + random.nextInt(40);
                if (random.nextBoolean()) {
                    onTheWay.remove(sent);
                }
                if (sent.record != null) {
                    notRecorded(sent);
                }
            }
        }
    }

    private void arrives(Sent sent) {
        if (sent.record == null) {
            topic.remove(sent.key);
        } else {
            topic.put(sent.key, sent.record);
            history.add(new Written(now, sent.record));
        }
    }

    /** A frozen member gets the answer when it continues, before it checks its lease. */
    private void answer(Sent sent, boolean awake) {
        if (!awake) {
            int continues = frozen.getOrDefault(sent.member.place, now);
            onTheWay.add(new Sent(sent.member, sent.by, sent.key, sent.record, continues + 1));
            return;
        }
        if (random.nextInt(50) == 0) { // the answer is lost
            notRecorded(sent);
        } else {
            sent.member.endIfOver(sent.by);
            sent.member.perform(sent.by, sent.by.recorded(sent.member.clock()));
        }
    }

    private static void notRecorded(Sent sent) {
        sent.member.endIfOver(sent.by);
        sent.member.perform(sent.by, sent.by.notRecorded(sent.member.clock()));
    }

    private void faults() {
        if (now >= QUIET) {
            cutFromTopic = Set.of();
            cutFromElection = Set.of();
        }
        frozen.values().removeIf(until -> now >= until);
        for (Integer place : List.copyOf(down.keySet())) {
            if (now >= down.get(place)) {
                members[place] = new Member(place);
                down.remove(place);
            }
        }
        boolean near = now % PERIOD >= PERIOD - 1 || now % PERIOD <= 8;
        if (now >= QUIET || random.nextDouble() >= (near ? 0.12 : 0.03)) {
            return;
        }
        int place = leader != null && random.nextDouble() < 0.7 ? leader.place : random.nextInt(PLACES);
        double chance = random.nextDouble();
        if (chance < 0.25 && !down.containsKey(place)) {
            kill(place);
        } else if (chance < 0.5) {
            frozen.put(place, now + 5 + random.nextInt(35));
        } else if (chance < 0.7) {
            cutFromTopic = some(chance < 0.6 ? 0.5 : 0);
        } else if (chance < 0.9) {
            cutFromElection = some(chance < 0.8 ? 0.4 : 0);
        } else {
            handoverAt = now;
        }
    }

    private Set<Integer> some(double share) {
        return IntStream.range(0, PLACES)
                .filter(place -> random.nextDouble() < share)
                .boxed()
                .collect(Collectors.toSet());
    }

    /** Kills the member. Records that it has sent may still arrive. */
    private void kill(int place) {
        Member dead = members[place];
        onTheWay.removeIf(sent -> sent.member == dead && random.nextBoolean());
        onTheWay.stream().filter(sent -> sent.member == dead).forEach(sent -> {
            sent.arrives = Math.max(sent.arrives, now + random.nextInt(30));
            sent.givenUp = true;
        });
        dead.running = null;
        down.put(place, now + 10 + random.nextInt(50));
    }

    /** Returns what went wrong; null if nothing did. */
    @Nullable
    String run() {
        for (now = 0; now < END; now++) {
            faults();
            elect();
            Member led = leader;
            boolean well = led != null && led.leads() && isUp(led.place) && !cutFromTopic.contains(led.place);
            calm[now] = !well ? 0 : now == electedAt ? 1 : calm[now - 1] + 1;
            deliver();
            for (Member member : members) {
                if (isUp(member.place)) {
                    member.step();
                }
            }
        }
        return violation == null ? verdict() : violation;
    }

    int runs() {
        return (int) events.stream().filter(Event::begins).count();
    }

    private @Nullable String verdict() {
        TreeMap<Instant, List<Integer>> begins = new TreeMap<>();
        for (Event event : events) {
            if (event.begins()) {
                if (isKnownToHaveEnded(event)) {
                    return "at " + event.at() + " the run of " + event.due()
                            + " began again after its end was recorded";
                }
                begins.computeIfAbsent(event.due(), due -> new ArrayList<>()).add(event.at());
            }
        }
        for (Map.Entry<Instant, List<Integer>> begun : begins.entrySet()) {
            List<Integer> times = begun.getValue();
            boolean mayBeRepeated = guarantee == Guarantee.AT_LEAST_ONCE && times.get(0) <= QUIET + CALM;
            if (times.size() > 1 && !mayBeRepeated) {
                return "the run of " + begun.getKey() + " began more than once, at " + times;
            }
            Instant next = begins.higherKey(begun.getKey());
            boolean changed =
                    next != null && Duration.between(begun.getKey(), next).toMillis() % (PERIOD * MILLIS) != 0;
            if (kind == 5 && changed && guarantee == Guarantee.AT_LEAST_ONCE && !hasEnded(begun.getKey())) {
                return "another schedule, with a run of " + next + ", has dropped the run of " + begun.getKey();
            }
        }
        return kind < 3 ? missed() : stopped();
    }

    /** Whether the run's end was written before the leader that began it again read the records. */
    private boolean isKnownToHaveEnded(Event begin) {
        return history.stream()
                .anyMatch(written -> written.record().ended() != null
                        && written.record().due().equals(begin.due())
                        && written.at() < begin.readAt());
    }

    private @Nullable String missed() {
        int first = IntStream.range(0, END)
                .filter(tick -> calm[tick] >= CALM)
                .findFirst()
                .orElse(END);
        for (int due = PERIOD; due < END - PERIOD; due += PERIOD) {
            Instant at = Instant.ofEpochMilli(due * MILLIS);
            if (due < first + 2 * SKEW || hasEnded(at)) {
                continue;
            }
            boolean healthy =
                    IntStream.range(due + SKEW + CALM, due + PERIOD - SKEW).anyMatch(tick -> calm[tick] >= CALM);
            boolean lost = guarantee == Guarantee.AT_MOST_ONCE && isKnownToHaveBegun(at);
            if (healthy && !lost) {
                return "the run of tick " + due + " was missed";
            }
        }
        return null;
    }

    private boolean hasEnded(Instant due) {
        return events.stream().anyMatch(event -> !event.begins() && event.due().equals(due));
    }

    private boolean isKnownToHaveBegun(Instant due) {
        return history.stream()
                .anyMatch(written -> written.record().begun() != null
                        && written.record().due().equals(due));
    }

    /** In the quiet time at the end, the job must run as often as it should. */
    private @Nullable String stopped() {
        long late = events.stream()
                .filter(event -> event.begins() && event.at() > QUIET + CALM)
                .count();
        return late >= (END - QUIET - CALM) / (PERIOD + 2 * SKEW) - 1
                ? null
                : "it ran only " + late + " times at the end";
    }
}
