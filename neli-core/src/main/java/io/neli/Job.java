package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A scheduled job that runs once in the whole group each time it is due. If nobody leads at that time, the next leader
 * makes up the run; of several missed times, only the last one. A run that is known to have ended is never repeated.
 * Runs of a job never overlap. See {@code docs/schedules.md}.
 *
 * @param name names the job in the group; must be the same on every member
 * @param role the role whose leader runs the job
 * @param schedule when the job is due; must be the same on every member
 * @param guarantee what happens to a run that began and did not end
 * @param executor runs the task; must not do so in the calling thread
 * @param task the work of each run
 */
public record Job(String name, String role, Schedule schedule, Guarantee guarantee, Executor executor, Task task) {

    private static final int LONGEST_TEXT = 200;

    /** Longer durations can exceed the range of {@link Instant}. */
    private static final Duration LONGEST_TIME = Duration.ofMillis(Long.MAX_VALUE);

    /**
     * Checks the name and the schedule's text.
     *
     * @throws NeliException if the name or the schedule's text is blank, longer than 200 characters, or has control
     *     characters
     */
    public Job {
        check("name", name);
        check("schedule", schedule.text());
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(guarantee, "guarantee");
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(task, "task");
    }

    private static void check(String what, String text) {
        if (text.isBlank() || text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new NeliException(
                    "the " + what + " of a job is '" + text + "'",
                    "use 1 to " + LONGEST_TEXT + " characters, none of them a control character");
        }
    }

    /** What happens to a run whose leader dies or is fenced before the run has ended. */
    public enum Guarantee {
        /** The next leader repeats it. */
        AT_LEAST_ONCE,
        /** It is not repeated. */
        AT_MOST_ONCE
    }

    /** The work of a job. */
    @FunctionalInterface
    public interface Task {

        /**
         * Executes one run, as {@linkplain Neli#beginWork() work}.
         *
         * @throws Exception if the run failed. A failed run has also ended, unless its lease was already over
         */
        void run(Run run) throws Exception;
    }

    /**
     * One run of a job.
     *
     * @param dueAt when the run was due; a repetition keeps this time
     * @param repeated whether a run for this time began before and is not known to have ended
     * @param leadership the term in which it runs
     */
    public record Run(Instant dueAt, boolean repeated, Leadership leadership) {}

    /** When a job is due, to the millisecond. */
    public sealed interface Schedule {

        /**
         * For display, and to detect a changed schedule: the job then starts over. Does not name the initial delay,
         * which may be random on each member.
         */
        String text();
    }

    /**
     * Due times that do not depend on the runs.
     *
     * @param next returns the first due time after the given time, or null if there is none; must have no side effects
     */
    public record Times(String text, UnaryOperator<@Nullable Instant> next) implements Schedule {}

    /**
     * First due after the initial delay, which starts when the group first sees the job. Then due each time the rate
     * has passed.
     */
    public record FixedRate(Duration rate, Duration initialDelay) implements Schedule {

        public FixedRate {
            check("rate", rate, 1);
            check("initial delay", initialDelay, 0);
        }

        @Override
        public String text() {
            return "rate " + rate;
        }
    }

    /**
     * First due after the initial delay, which starts when the group first sees the job. Then due one delay after the
     * last run ended, or began if its end is unknown and it is not repeated.
     */
    public record FixedDelay(Duration delay, Duration initialDelay) implements Schedule {

        public FixedDelay {
            check("delay", delay, 1);
            check("initial delay", initialDelay, 0);
        }

        @Override
        public String text() {
            return "delay " + delay;
        }
    }

    private static void check(String what, Duration duration, long leastMillis) {
        if (duration.compareTo(Duration.ofMillis(leastMillis)) < 0 || duration.compareTo(LONGEST_TIME) > 0) {
            throw new NeliException(
                    "the " + what + " of a job is '" + duration + "'",
                    "use " + leastMillis + " ms or more, and at most " + LONGEST_TIME.toDays() + " days");
        }
    }
}
