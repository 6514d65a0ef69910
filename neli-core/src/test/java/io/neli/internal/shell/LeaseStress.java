package io.neli.internal.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import io.neli.internal.election.Input;
import io.neli.internal.election.Lease;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Term;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Threads ask who leads, while the driver's thread renews a lease, is fenced and leads again. They ask at fixed
 * moments, so that each state has one right answer.
 */
public class LeaseStress {

    private static final MemberId ME = new MemberId("member", new UUID(0, 1));
    private static final LogId LOG = new LogId(0, 0); // declared before the history, which uses it
    private static final ShellSettings SETTINGS = ShellTests.SETTINGS;
    private static final History HISTORY = new History();

    /** The clock of a thread that asks; the driver's thread uses the time of the history. */
    private static final ThreadLocal<Moment> ASKED_AT = new ThreadLocal<>();

    final ElectionDriver driver;
    private Moment now = HISTORY.inputs.get(0).at();
    private volatile boolean asked;

    LeaseStress() {
        driver = new ElectionDriver(SETTINGS, () -> ME, this::now, ShellTests.effects(), self -> new EmptyLogs());
        step(0, HISTORY.leading);
    }

    private Moment now() {
        Moment asked = ASKED_AT.get();
        return asked == null ? now : asked;
    }

    /** Replays a part of the history. */
    private void step(int from, int to) {
        for (Timed input : HISTORY.inputs.subList(from, to)) {
            now = input.at();
            input.input().accept(driver);
            driver.takeMessages();
        }
    }

    void leadsAgain() {
        while (!asked) {
            Thread.onSpinWait();
        }
        step(HISTORY.leading, HISTORY.inputs.size());
    }

    /** The answers to a thread that asks until the second term is led, without repetitions. */
    String answers(Moment moment) {
        ASKED_AT.set(moment);
        StringBuilder answers = new StringBuilder();
        String latest = "";
        while (!latest.equals("second")) {
            String next = leads();
            if (!next.equals(latest)) {
                answers.append(' ').append(next);
                latest = next;
            }
            asked = true;
        }
        ASKED_AT.remove();
        return answers.substring(1);
    }

    /** The driver's answer, without what it remembers of answers: the history continues as if nobody had asked. */
    private String leads() {
        long token = driver.state().partitions().get(0).leadingAt(now());
        if (token == Term.NONE) {
            return "none";
        }
        return token == HISTORY.firstToken ? "first" : "second";
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"first none second", "first second"},
            expect = Expect.ACCEPTABLE,
            desc = "A term that was seen to be over is never led again.")
    public static class WhileTheLeaseLasts extends LeaseStress {

        @Actor
        public void drives() {
            leadsAgain();
        }

        @Actor
        public void asks(L_Result result) {
            result.r1 = answers(HISTORY.withinLease);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "none second", expect = Expect.ACCEPTABLE, desc = "No lease is a mix of two.")
    public static class BetweenTheLeases extends LeaseStress {

        @Actor
        public void drives() {
            leadsAgain();
        }

        @Actor
        public void asks(L_Result result) {
            result.r1 = answers(HISTORY.betweenLeases);
        }
    }

    private record Timed(Moment at, Consumer<ElectionDriver> input) {}

    /**
     * What a member reads while it leads, renews its lease after its wall clock was set back, is fenced because it
     * reads no more, and leads again. The same for every driver.
     */
    private static final class History {

        private static final long TICK_MILLIS = 10;
        private static final int MOST_TICKS = 10_000;
        private static final long SET_BACK_MILLIS = 1_000;

        private final List<Timed> inputs = new ArrayList<>();
        private final List<LogEntry> log = new ArrayList<>();
        private long millis;
        private long wallMillis = 1_000_000;
        private final ElectionDriver recorded =
                new ElectionDriver(SETTINGS, () -> ME, this::now, ShellTests.effects(), self -> new EmptyLogs());

        /** The number of inputs until the first term has a lease that is renewed later. */
        final int leading;

        final long firstToken;
        final Moment withinLease;

        /** A moment at which the first lease has ended by one clock, and the renewed lease by the other. */
        final Moment betweenLeases;

        History() {
            recorded.use(new EmptyLogs() {
                @Override
                public void append(LogId place, LogRecord content, long readerPosition) {
                    log.add(new LogEntry(log.size(), content));
                }
            });
            step(new Input.LogOpened(0, 0, false));
            firstToken = untilLeading();
            renewed(); // by the heartbeat sent when it begins to lead
            leading = inputs.size();
            withinLease = now();
            Lease lease = state().lease();
            betweenLeases = new Moment(lease.until(), lease.wallUntilMillis() - 1);
            wallMillis -= SET_BACK_MILLIS;
            renewed();
            while (recorded.leads(0).isPresent()) {
                tick();
            }
            step(ElectionDriver::timePassed);
            step(driver -> driver.drained(0, firstToken, true));
            untilLeading();
        }

        private Moment now() {
            return new Moment(new MonotonicTime(millis * 1_000_000), wallMillis);
        }

        private LogState state() {
            return recorded.state().partitions().get(0).logs().get(0);
        }

        private void tick() {
            millis += TICK_MILLIS;
            wallMillis += TICK_MILLIS;
            if (millis > MOST_TICKS * TICK_MILLIS) {
                throw new IllegalStateException("the member does not lead, or leads forever");
            }
        }

        private long untilLeading() {
            while (recorded.leads(0).isEmpty()) {
                read();
            }
            return recorded.leads(0).getAsLong();
        }

        private void renewed() {
            MonotonicTime end = state().lease().until();
            while (state().lease().until().equals(end)) {
                read();
            }
        }

        private void read() {
            tick();
            step(ElectionDriver::timePassed);
            int position = Math.toIntExact(state().position());
            if (position < log.size()) {
                step(new Input.RecordsRead(List.copyOf(log.subList(position, log.size())), log.size()));
            }
        }

        private void step(Input input) {
            step(driver -> driver.step(Map.of(LOG, input)));
        }

        private void step(Consumer<ElectionDriver> input) {
            inputs.add(new Timed(now(), input));
            input.accept(recorded);
            recorded.takeMessages();
        }
    }
}
