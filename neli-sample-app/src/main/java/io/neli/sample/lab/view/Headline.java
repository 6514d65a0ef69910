package io.neli.sample.lab.view;

import java.util.List;
import java.util.Optional;

import io.neli.sample.lab.history.HistoryView.Gap;
import io.neli.sample.lab.history.HistoryView.Term;
import io.neli.sample.lab.view.LabState.InstanceState;

/**
 * Who leads, or for how long nobody has led.
 *
 * @param leader empty if nobody leads
 * @param lost whether somebody led before
 * @param announcement for screen readers; changes with the leader only
 */
record Headline(String leader, boolean lost, String text, String detail, String announcement) {

    static Headline of(LabState lab) {
        Optional<Gap> gap = last(lab.history().gaps()).filter(each -> each.to() == null);
        Optional<Term> term = last(lab.history().terms());
        Optional<InstanceState> leader = lab.leader();
        if (leader.isPresent() && gap.isEmpty()) {
            return leads(lab, leader.get());
        }
        String detail = gap.map(each -> "for " + Texts.duration(lab.now() - each.from()))
                .orElse(term.isEmpty() ? "The instances start and join the group." : "");
        return new Headline("", gap.isPresent(), "Nobody leads", detail, "Nobody leads");
    }

    private static Headline leads(LabState lab, InstanceState leader) {
        long token = LabState.token(leader);
        String text = leader.name() + " leads";
        String since = lab.history().terms().stream()
                .filter(term -> term.token() == token)
                .findFirst()
                .map(term -> ", since " + Texts.time(term.from()))
                .orElse("");
        String after = last(lab.history().changes())
                .filter(change -> change.token() == token)
                .map(change -> ", after " + Texts.duration(change.millis()))
                .orElse("");
        String detail = "with token " + token;
        return new Headline(leader.name(), false, text, detail + since, text + " " + detail + after);
    }

    private static <T> Optional<T> last(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    }
}
