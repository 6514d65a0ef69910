package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Work that is due at certain times, once in the whole group: a run that nobody led at its time is made up for by the
 * next leader, and one that is known to have ended is never repeated. Of several times that were missed, only the last
 * is made up for. Runs of a job never overlap. See {@code docs/schedules.md}.
 *
 * @param name names the job in the group: the same on every member
 * @param role the role whose leader runs it
 * @param schedule when it is due: the same on every member
 * @param guarantee what happens to a run that was begun and did not end
 * @param executor runs the task; must not do so in the calling thread
 * @param task what is to be done
 */
public record Job(String name, String role, Schedule schedule, Guarantee guarantee, Executor executor, Task task) {

    private static final int LONGEST_TEXT = 200;

    /** With a longer one, there would be no instant at which the job is due. */
    private static final Duration LONGEST_TIME = Duration.ofMillis(Long.MAX_VALUE);

    /**
     * Checks the texts.
     *
     * @throws NeliException if the name or the schedule's text is blank, longer than 200 characters, or has control
     *     characters
     */
    public Job {
        check("name", name);
        check("schedule", schedule.text());
    }

    private static void check(String what, String text) {
        if (text.isBlank() || text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new NeliException(
                    "the " + what + " of a job is '" + text + "'",
                    "use 1 to " + LONGEST_TEXT + " characters, none of them a control character");
        }
    }

    /** What happens to a run that was begun by a leader that died or was fenced before the run ended. */
    public enum Guarantee {
        /** The next leader repeats it. */
        AT_LEAST_ONCE,
        /** It is not repeated. */
        AT_MOST_ONCE
    }

    /** What is to be done. */
    @FunctionalInterface
    public interface Task {

        /**
         * Does one run, as {@linkplain Neli#beginWork() work}.
         *
         * @throws Exception if the run failed; it has ended then, too
         */
        void run(Run run) throws Exception;
    }

    /**
     * One run.
     *
     * @param dueAt when it was due; the same for a repetition
     * @param repeated whether a run of this time was begun before, and is not known to have ended
     * @param leadership the term it runs in
     */
    public record Run(Instant dueAt, boolean repeated, Leadership leadership) {}

    /** When a job is due. Times are in milliseconds. */
    public sealed interface Schedule {

        /** For people, and to notice that the schedule was changed: the job then starts over. */
        String text();
    }

    /**
     * At times that do not depend on the runs.
     *
     * @param next the first time after another one, without a side effect; null where there is none
     */
    public record Times(String text, UnaryOperator<@Nullable Instant> next) implements Schedule {}

    /**
     * First after the initial delay, counted from when the group first saw the job, then each time that the rate has
     * passed.
     */
    public record FixedRate(Duration rate, Duration initialDelay) implements Schedule {

        public FixedRate {
            check("rate", rate, 1);
            check("initial delay", initialDelay, Long.MIN_VALUE);
        }

        @Override
        public String text() {
            return "rate " + rate + afterDelay(initialDelay);
        }
    }

    /**
     * First after the initial delay, counted from when the group first saw the job, then a delay after the end of the
     * last run.
     */
    public record FixedDelay(Duration delay, Duration initialDelay) implements Schedule {

        public FixedDelay {
            check("delay", delay, 1);
            check("initial delay", initialDelay, Long.MIN_VALUE);
        }

        @Override
        public String text() {
            return "delay " + delay + afterDelay(initialDelay);
        }
    }

    private static void check(String what, Duration duration, long leastMillis) {
        if (duration.compareTo(Duration.ofMillis(leastMillis)) < 0 || duration.compareTo(LONGEST_TIME) > 0) {
            throw new NeliException(
                    "the " + what + " of a job is '" + duration + "'",
                    "use " + (leastMillis > 0 ? "1 ms or more, and " : "") + "at most " + LONGEST_TIME.toDays()
                            + " days");
        }
    }

    private static String afterDelay(Duration initial) {
        return initial.isZero() ? "" : ", first after " + initial;
    }
}
