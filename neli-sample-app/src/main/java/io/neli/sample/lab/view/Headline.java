package io.neli.sample.lab.view;

import java.util.List;
import java.util.Optional;

import io.neli.sample.lab.history.HistoryView.Gap;
import io.neli.sample.lab.history.HistoryView.Term;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;

/**
 * Who leads, or since when nobody does and what that depends on.
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
        String detail = term.isEmpty()
                ? "The instances start and join the group."
                : gap.map(each -> "for " + Texts.duration(lab.now() - each.from()) + ". ")
                                .orElse("")
                        + hint(lab);
        return new Headline("", gap.isPresent(), "Nobody leads", detail.strip(), "Nobody leads");
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
        String ends = "";
        if (!lab.brokerIsUp()) {
            ends = ". The broker is down, so the lease runs out.";
        } else if (leader.cut()) {
            ends = ". It is cut off, so its lease runs out.";
        }
        String detail = "with token " + token;
        return new Headline(leader.name(), false, text, detail + since + ends, text + " " + detail + after);
    }

    /** What the next leader has to wait for. */
    private static String hint(LabState lab) {
        if (!lab.brokerIsUp()) {
            return "The broker is down: no lease can be renewed or claimed.";
        }
        for (InstanceState each : lab.instances()) {
            if (each.leadership().holdsLease() && (each.process() == ProcessState.FROZEN || each.cut())) {
                return each.name() + " is " + (each.cut() ? "cut off" : "frozen")
                        + ", and its lease must run out first.";
            }
        }
        for (InstanceState each : lab.instances()) {
            if (each.hasClaimed()) {
                return each.name() + " has claimed leadership and waits until the old lease has run out.";
            }
        }
        boolean running = lab.instances().stream().anyMatch(each -> each.process() == ProcessState.RUNNING);
        return running ? "" : "No instance is running.";
    }

    private static <T> Optional<T> last(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    }
}
