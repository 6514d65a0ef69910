package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.neli.LeaderTerm;
import io.neli.NeliException;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;

/** Reads who led in the past, for {@link io.neli.Neli#history}. */
final class PastTerms {

    private PastTerms() {}

    static List<LeaderTerm> read(LogProvider provider, ShellSettings settings, int partition, Duration since)
            throws InterruptedException {
        long now = MemberClock.system().now().wallMillis();
        long from = since.compareTo(Duration.ofMillis(now)) < 0 ? now - since.toMillis() : 0;
        try {
            return of(provider.history(settings, partition, from));
        } catch (UnusableLogException e) {
            throw new NeliException(e.problem().what(), e.problem().fix());
        }
    }

    private static List<LeaderTerm> of(List<PastTerm> past) {
        List<LeaderTerm> terms = new ArrayList<>();
        long unledSince = PastTerm.BEFORE;
        for (int i = 0; i < past.size(); i++) {
            PastTerm term = past.get(i);
            Optional<Duration> unled = unledSince == PastTerm.BEFORE || term.acquired() == PastTerm.BEFORE
                    ? Optional.empty()
                    : Optional.of(Duration.ofMillis(Math.max(0, term.acquired() - unledSince)));
            terms.add(new LeaderTerm(
                    term.token(),
                    term.member().name(),
                    term.metadata(),
                    instant(term.acquired()),
                    instant(term.ended()),
                    Optional.ofNullable(term.end()),
                    i + 1 < past.size() ? Optional.of(past.get(i + 1).member().name()) : Optional.empty(),
                    unled));
            unledSince = Math.max(unledSince, term.ended());
        }
        return terms;
    }

    private static Optional<Instant> instant(long millis) {
        return millis == PastTerm.BEFORE || millis == PastTerm.NOT_YET
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(millis));
    }
}
