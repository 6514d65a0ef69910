package io.neli.sample.lab.history;

import java.util.List;

/**
 * The scheduled job.
 *
 * @param latest the latest times, oldest first
 * @param missed how many times no run has ended though a leader could have run it
 * @param repeated how many runs were begun though the end of a run of that time was recorded
 * @param merged how many times came while nobody could run them, and another one after them: only the last is made up
 *     for
 */
public record RunsView(List<Run> latest, long missed, long repeated, long merged) {

    /**
     * A time at which the job was due, and its latest run.
     *
     * @param instance that began it; empty if none did
     * @param token of the term in which it was begun
     * @param again whether it was begun before
     */
    public record Run(long due, String instance, long token, Phase phase, boolean again) {

        Run in(Phase next) {
            return new Run(due, instance, token, next, again);
        }
    }

    /** How far a {@link Run} has come. */
    public enum Phase {
        BEGUN,
        ENDED,
        /** Its end is recorded, so it must not be begun again. */
        RECORDED,
        /** It was begun after its end had been recorded. */
        REPEATED,
        MERGED,
        MISSED;

        boolean hasEnded() {
            return this == ENDED || this == RECORDED || this == REPEATED;
        }
    }
}
