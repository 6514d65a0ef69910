package io.neli.internal.shell;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.neli.Mode;
import io.neli.internal.election.Action;
import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * Passes each input to the rules, one at a time, and carries out the actions that they decide on. One thread steps it;
 * other threads put their inputs into its inbox.
 */
public final class ElectionDriver implements Participant {

    private interface Message {
        Election.Step step(ElectionState state, Moment now);
    }

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final ShellSettings settings;
    private final Supplier<MemberId> identities;
    private final MemberClock clock;
    private final Logs logs;
    private final ActionExecutor executor;
    private final ConflictReport conflicts;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private volatile Logs.@Nullable Connection connection;
    private volatile MemberId self;
    private volatile ElectionState state;
    private Election election;

    /** By partition, the largest token that {@link #leads(int, long)} has reported as over; 0 if none. */
    private final AtomicLongArray lapsed;

    private final KnownLeaders leaders;

    /**
     * Creates a driver that has not made a step yet.
     *
     * @param identities returns another identity at each call
     * @param logs creates the logs that this driver is used by
     */
    public ElectionDriver(
            ShellSettings settings,
            Supplier<MemberId> identities,
            MemberClock clock,
            Effects effects,
            Function<ElectionDriver, Logs> logs) {
        this.settings = settings;
        this.identities = identities;
        this.self = identities.get();
        this.clock = clock;
        this.election = new Election(self, settings.election());
        this.conflicts = new ConflictReport(settings, effects.problems());
        this.state = election.initial(settings.candidate());
        this.lapsed = new AtomicLongArray(settings.partitions());
        this.leaders = new KnownLeaders(settings, effects.leaders());
        this.logs = logs.apply(this);
        this.executor = new ActionExecutor(settings, clock, effects, this.logs);
    }

    Logs logs() {
        return logs;
    }

    /** The member's current identity. May be called from any thread. */
    public MemberId self() {
        return self;
    }

    /** What the member knows. May be called from any thread. */
    public ElectionState state() {
        return state;
    }

    /** The token of the term that this member leads on the partition at this moment. May be called from any thread. */
    public OptionalLong leads(int partition) {
        long token = state.partitions().get(partition).leadingAt(clock.now());
        return token == Term.NONE || hasLapsed(partition, token) ? OptionalLong.empty() : OptionalLong.of(token);
    }

    /** Once false for a term, it stays false: even if a step still extends the lease, the next step ends the term. */
    @Override
    @SuppressWarnings("ReferenceEquality") // whether a step has replaced it
    public boolean leads(int partition, long token) {
        while (true) {
            PartitionState current = state.partitions().get(partition);
            if (current.leadingAt(clock.now()) == token) {
                return !hasLapsed(partition, token);
            }
            // A step that has replaced the state meanwhile may have extended the lease before the clock was read.
            if (current == state.partitions().get(partition)) {
                if (current.ledTerm() == token) {
                    lapsed.accumulateAndGet(partition, token, Math::max);
                }
                return false;
            }
        }
    }

    private boolean hasLapsed(int partition, long token) {
        return token <= lapsed.get(partition);
    }

    /** The term in which any member, as far as this one knows, leads the partition's role now. Called on any thread. */
    public Optional<Term> leader(int partition) {
        return state.ledAt(partition, clock.now(), self(), settings.election().groupConfig());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // whether a step has replaced it
    public boolean lasts(int partition, long token) {
        boolean exclusive = settings.election().groupConfig().mode() == Mode.EXCLUSIVE;
        while (true) {
            PartitionState current = state.partitions().get(partition);
            boolean lasts = current.lastsAt(clock.now(), token, exclusive);
            if (lasts || current == state.partitions().get(partition)) { // else a step may have extended the lease
                return lasts;
            }
        }
    }

    private void endLapsedTerms() {
        for (int partition = 0; partition < settings.partitions(); partition++) {
            long token = state.partitions().get(partition).ledTerm();
            if (token != Term.NONE && hasLapsed(partition, token)) {
                carryOut(election.lapsed(state, partition, token, clock.now()));
            }
        }
    }

    /** What the member reports to its group. May be called from any thread. */
    public MemberMetadata metadata() {
        ElectionState current = state;
        MonotonicTime now = clock.time();
        Map<Integer, Long> leading = new HashMap<>();
        for (int partition = 0; partition < settings.partitions(); partition++) {
            int number = partition;
            leads(partition).ifPresent(token -> leading.put(number, token));
        }
        return new MemberMetadata(
                self,
                current.eligibility().isEligibleAt(now),
                current.excludedAt(now),
                settings.priority(),
                leading,
                settings.election().groupConfig().fingerprint(),
                settings.partitions());
    }

    /** May be called from any thread. */
    public void assigned(MemberPlan plan) {
        post((current, now) -> election.assigned(current, plan, now));
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {
        post((current, now) -> election.drained(current, partition, token, fenced, now));
    }

    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {
        post((current, now) -> election.resign(current, partition, cooldown, now));
    }

    @Override
    public void pause(@Nullable Integer partition, boolean paused) {
        post((current, now) -> election.pause(current, partition, paused, now));
    }

    @Override
    public void candidate(boolean candidate) {
        post((current, now) -> election.candidate(current, candidate, now));
    }

    void close() {
        post(election::close);
    }

    /** Ends {@link #awaitMessage}. */
    void wake() {
        post(election::timePassed);
    }

    /** Ends the wait for records, without a step. May be called from any thread. */
    public void wakeReader() {
        Logs.@Nullable Connection current = connection;
        if (current != null) {
            current.wakeup();
        }
    }

    private void post(Message message) {
        inbox.add(message);
        wakeReader();
    }

    void takeMessages() {
        for (Message message = inbox.poll(); message != null; message = inbox.poll()) {
            step(message);
        }
    }

    /** Waits for a message and processes it. */
    void awaitMessage(Duration limit) throws InterruptedException {
        Message message = inbox.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (message != null) {
            step(message);
        }
    }

    /** Writes to this connection from now on, which has begun; null for none. */
    public void use(Logs.@Nullable Connection next) {
        connection = next;
        executor.use(next, state);
    }

    /** Whether records of this log are read and, as far as is known, arrive there. May be called from any thread. */
    boolean isReadable(LogId place) {
        Logs.@Nullable Connection current = connection;
        return current != null && isOpen(place) && !current.lostLogs().contains(place);
    }

    public void step(Map<LogId, ? extends Input> inputs) {
        if (!inputs.isEmpty()) {
            step((current, now) -> election.step(current, inputs, now));
        }
    }

    /** Tells the rules that these logs cannot be reached, or have lost records. */
    public void lost(Collection<LogId> logs) {
        executor.forget(logs);
        step(logs.stream().collect(Collectors.toMap(Function.identity(), lost -> new Input.LogLost())));
    }

    /** Whether the rules know from where the log is read. */
    public boolean isOpen(LogId place) {
        return state.log(place).isOpen();
    }

    /** Whether a majority of the logs of at least one partition is open. */
    boolean hasOpenMajority() {
        return state.partitions().stream()
                .anyMatch(partition ->
                        partition.logs().stream().filter(LogState::isOpen).count() >= settings.majority());
    }

    void timePassed() {
        step(election::timePassed);
        executor.timePassed();
    }

    /** How long until the rules need another step, at most; zero if there is a message. */
    Duration timeUntilStep() {
        Duration left = new Deadline(state.deadline(), clock).left();
        return inbox.isEmpty() ? Collections.min(List.of(left, LONGEST_WAIT)) : Duration.ZERO;
    }

    private void step(Message message) {
        endLapsedTerms();
        Election.Step step = message.step(state, clock.now());
        try {
            carryOut(step);
        } finally {
            if (step.actions().stream().anyMatch(each -> each.action() instanceof Action.Renew)) {
                renew();
            }
        }
    }

    private void renew() {
        self = identities.get();
        election = new Election(self, settings.election());
        executor.forget(settings.logs());
        carryOut(election.renewed(state, clock.now()));
    }

    private void carryOut(Election.Step step) {
        // First, before anything is announced or written: once a leader resigns, leads() must be false.
        ElectionState before = state;
        state = step.state();
        executor.execute(step, self);
        conflicts.report(state, self, clock.now());
        leaders.update(before, state, self, clock.now());
    }
}
