package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Who led a partition, according to all of its logs that could be read. A term has the same token in each of them. */
public final class PartitionHistory {

    private PartitionHistory() {}

    private record Key(long token, MemberId member) {}

    /**
     * The terms in which a member led enough logs.
     *
     * @param needed in how many logs a term must have been led
     * @param readAt when the logs were read up to their ends
     * @return the earliest first
     */
    public static List<PastTerm> of(Collection<LogHistory> logs, int needed, long readAt) {
        Map<Key, List<PastTerm>> terms = new LinkedHashMap<>();
        for (LogHistory log : logs) {
            Map<Key, PastTerm> once = new LinkedHashMap<>();
            log.terms(readAt)
                    .forEach(term -> once.merge(new Key(term.token(), term.member()), term, PastTerm::continuedBy));
            once.forEach((key, term) ->
                    terms.computeIfAbsent(key, first -> new ArrayList<>()).add(term));
        }
        return terms.values().stream()
                .filter(each -> each.size() >= needed)
                .map(each -> inEnough(each, needed))
                .sorted(Comparator.comparingLong(PastTerm::acquired))
                .toList();
    }

    /** The term, with the time during which it was led in that many logs. */
    private static PastTerm inEnough(List<PastTerm> sameTerm, int needed) {
        PastTerm begun = nth(needed - 1, sameTerm, PastTerm::acquired);
        PastTerm over = nth(sameTerm.size() - needed, sameTerm, PastTerm::ended);
        return over.lasting(begun.acquired(), Math.max(begun.acquired(), over.ended()), over.end());
    }

    private static PastTerm nth(int n, List<PastTerm> terms, ToLongFunction<PastTerm> order) {
        return terms.stream().sorted(Comparator.comparingLong(order)).toList().get(n);
    }
}
