package io.neli.sample.lab.view;

import java.util.List;
import java.util.Objects;

import io.neli.sample.lab.history.LatestReport.Leadership;
import io.neli.sample.lab.history.LatestReport.State;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of an instance.
 *
 * @param state selects icon and colour
 * @param word the state in words
 * @param leaseShare of the whole lease, from 0 to 1
 * @param failed whether the note is a problem that the instance reports
 */
record InstanceCard(
        String name,
        String process,
        String state,
        String word,
        String token,
        String leaseLeft,
        double leaseShare,
        String note,
        boolean failed,
        List<Button> buttons) {

    private record Description(String state, String word, String note) {}

    private static final List<List<String>> BUTTONS = List.of(
            List.of("kill"),
            List.of("freeze", "thaw"),
            List.of("cut", "heal"),
            List.of("stop"),
            List.of("resign"),
            List.of("start"));

    static InstanceCard of(InstanceState instance, LabState lab) {
        Leadership leadership = instance.leadership();
        Description description = describe(instance);
        String problem = problem(instance, lab);
        Long left = leadership.leaseLeft();
        return new InstanceCard(
                instance.name(),
                instance.pid() == null ? "no process" : "process " + instance.pid(),
                description.state(),
                description.word(),
                leadership.token() == null ? "" : "token " + leadership.token(),
                left == null ? "–" : Texts.seconds(left),
                left == null ? 0 : Math.min(1, (double) left / lab.lease()),
                Objects.requireNonNullElse(problem, description.note()),
                problem != null,
                BUTTONS.stream()
                        .map(actions -> Button.of(actions, instance.refusals(), ""))
                        .toList());
    }

    private static Description describe(InstanceState instance) {
        Leadership leadership = instance.leadership();
        Description plain = describe(leadership.state());
        boolean visible = leadership.state() != State.STANDBY && leadership.state() != State.NONE;
        String was = visible ? ", " + plain.state() : "";
        return switch (instance.process()) {
            case STARTING -> new Description("starting", "Starting", "The process is starting.");
            case STOPPING -> new Description("draining", "Stopping", "Hands over if it leads, then ends.");
            case DOWN -> new Description("down", "Not running", "There is no process.");
            case FROZEN -> new Description("frozen", "Frozen" + was, frozenNote(leadership));
            case RUNNING ->
                instance.cut()
                        ? new Description(
                                "cut",
                                "Cut off" + was,
                                "Runs, but cannot reach Kafka."
                                        + (leadership.holdsLease() ? " It steps down when its lease has run out." : ""))
                        : plain;
        };
    }

    private static Description describe(State state) {
        return switch (state) {
            case LEADING -> new Description("leading", "Leading", "Does the work and renews its lease.");
            case CLAIMED ->
                new Description(
                        "claiming", "Claiming", "Has claimed leadership; waits until the old lease has run out.");
            case DRAINING ->
                new Description(
                        "draining", "Draining", "Hands over: no other leads before its running work has ended.");
            case FENCED -> new Description("fenced", "Fenced", "Has lost leadership. What it still writes is refused.");
            case STANDBY -> new Description("standby", "Standby", "Reads the log, ready to claim leadership.");
            case NONE -> new Description("starting", "Starting", "Not in the group yet.");
        };
    }

    private static String frozenNote(Leadership leadership) {
        if (leadership.leaseLeft() == null) {
            return "Suspended.";
        }
        return leadership.holdsLease()
                ? "Suspended in the middle of its work. Its lease runs out."
                : "Still believes that it leads. Thaw it: its unfinished write is refused.";
    }

    /** The instance's own message, which names addresses and properties, unless the lab can explain the problem. */
    private static @Nullable String problem(InstanceState instance, LabState lab) {
        if (instance.problem() == null || instance.cut() || instance.process() == ProcessState.FROZEN) {
            return null;
        }
        return lab.brokersAreUp() ? instance.problem() : "Cannot reach Kafka; retries.";
    }
}
