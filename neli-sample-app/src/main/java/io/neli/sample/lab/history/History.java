package io.neli.sample.lab.history;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The fold: observations in, {@link #view() the view} out. Keeps the last ten minutes, at most 500 of a kind for each role;
 * the statistics are of the last 500 changes of a role, however long ago. Confined to one thread.
 */
public final class History {

    private static final long KEPT = 600_000;

    private final Map<String, RoleTimeline> roles = new LinkedHashMap<>();
    private final Availability availability = new Availability();
    private final Bounded<Mark> marks = new Bounded<>();

    /** What was done to an instance and is not undone: what is still heard of it, it said before. */
    private final Map<String, Map<Cause, Long>> faults = new HashMap<>();

    /** Who was asked to stop and has not ended yet. */
    private final Set<String> stopping = new HashSet<>();

    /**
     * One of a lab in which nothing has happened yet.
     *
     * @param roles those that are told of; others are not heeded
     * @param lease in milliseconds
     */
    public History(Collection<String> roles, long lease) {
        roles.forEach(role -> this.roles.put(role, new RoleTimeline(role, lease, availability)));
    }

    /** Observations come about in the order of their times: two that were made by two threads may come the other way round. */
    public void apply(Observation observation) {
        availability.apply(observation);
        if (observation instanceof Observation.Done done) {
            done(done);
        } else if (observation instanceof Observation.BrokerUp up) {
            mark(up.at(), null, MarkKind.BROKER_UP, null, MarkKind.BROKER_UP.text());
        } else if (observation instanceof Observation.Acquired acquired) {
            acquired(acquired);
        } else if (observation instanceof Observation.Revoked revoked) {
            revoked(revoked);
        } else if (observation instanceof Observation.Fenced fenced) {
            fenced(fenced);
        } else if (observation instanceof Observation.Refused refused) {
            String text = "write " + refused.number() + " with token " + refused.token() + " is refused";
            mark(refused.at(), refused.instance(), MarkKind.REFUSED, refused.role(), text);
        } else if (observation instanceof Observation.Exited exited) {
            exited(exited);
        }
        forgetBefore(observation.at() - KEPT);
    }

    private void done(Observation.Done done) {
        String instance = done.instance();
        long at = done.at();
        mark(at, instance, done.kind(), null, done.kind().text());
        if (instance == null) {
            return;
        }
        switch (done.kind()) {
            case KILL -> fault(instance, Cause.KILL, at);
            case FREEZE -> fault(instance, Cause.FREEZE, at);
            case CUT -> fault(instance, Cause.CUT, at);
            case THAW -> recovered(instance, Cause.FREEZE, at);
            case HEAL -> recovered(instance, Cause.CUT, at);
            case STOP -> stopping.add(instance);
            case START -> started(instance);
            default -> {}
        }
    }

    private void fault(String instance, Cause cause, long at) {
        faultsOf(instance).putIfAbsent(cause, at);
        each(role -> role.faulted(instance, cause, at));
    }

    private void recovered(String instance, Cause from, long at) {
        faultsOf(instance).remove(from);
        each(role -> role.recovered(instance, from, at));
        // A leader that was cut while it was frozen is still cut.
        each(role -> faultsOf(instance).forEach((cause, since) -> role.faulted(instance, cause, since)));
    }

    private void started(String instance) {
        stopping.remove(instance);
        faultsOf(instance).keySet().removeAll(Set.of(Cause.KILL, Cause.FREEZE));
    }

    private void acquired(Observation.Acquired acquired) {
        String instance = acquired.instance();
        mark(acquired.at(), instance, MarkKind.ACQUIRED, acquired.role(), "leads with token " + acquired.token());
        with(acquired.role(), role -> {
            role.acquired(instance, acquired.token(), acquired.at());
            faultsOf(instance).forEach((cause, at) -> role.faulted(instance, cause, at));
        });
    }

    private void revoked(Observation.Revoked revoked) {
        String text = "hands over, " + words(revoked.reason());
        mark(revoked.at(), revoked.instance(), MarkKind.REVOKED, revoked.role(), text);
        Cause cause = Cause.ofRevocation(revoked.reason());
        with(revoked.role(), role -> role.revoked(revoked.token(), revoked.at(), cause));
    }

    private void fenced(Observation.Fenced fenced) {
        String text = "fenced, " + words(fenced.reason());
        mark(fenced.at(), fenced.instance(), MarkKind.FENCED, fenced.role(), text);
        with(fenced.role(), role -> role.fenced(fenced.token(), fenced.at()));
    }

    private void exited(Observation.Exited exited) {
        String instance = exited.instance();
        if (instance == null) {
            mark(exited.at(), null, MarkKind.EXITED, null, "the broker has ended with code " + exited.code());
            return;
        }
        boolean wasKilled = faultsOf(instance).containsKey(Cause.KILL);
        boolean wasStopped = stopping.remove(instance);
        if (!wasKilled) {
            String text = "ended with code " + exited.code();
            mark(exited.at(), instance, MarkKind.EXITED, null, text);
        }
        each(role -> role.exited(instance, exited.at(), wasStopped));
    }

    private Map<Cause, Long> faultsOf(String instance) {
        return faults.computeIfAbsent(instance, name -> new EnumMap<>(Cause.class));
    }

    private void mark(long at, @Nullable String instance, MarkKind kind, @Nullable String role, String text) {
        marks.add(new Mark(at, instance, kind, role, text));
    }

    private static String words(String reason) {
        return reason.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void each(Consumer<RoleTimeline> action) {
        roles.values().forEach(action);
    }

    private void with(String role, Consumer<RoleTimeline> action) {
        RoleTimeline timeline = roles.get(role);
        if (timeline != null) {
            action.accept(timeline);
        }
    }

    private void forgetBefore(long moment) {
        marks.removeIf(mark -> mark.at() < moment);
        each(role -> role.forgetBefore(moment));
    }

    /** What is known now, each kind in the order of time within a role. */
    public HistoryView view() {
        return new HistoryView(
                ofEach(role -> role.terms().stream()),
                marks.list(),
                ofEach(role -> role.gaps().stream()),
                ofEach(role -> role.changes().stream()),
                ofEach(role -> Stream.of(role.statistics())));
    }

    private <T> List<T> ofEach(Function<RoleTimeline, Stream<T>> part) {
        return roles.values().stream().flatMap(part).toList();
    }
}
