package io.neli.sample.lab.history;

import java.util.List;

/**
 * The runs of the scheduled job.
 *
 * @param latest the latest due times, oldest first
 * @param missed how many due times have no ended run although a leader could have run it
 * @param repeated how many runs were begun although the end of a run of that time was recorded
 * @param merged how many due times passed while nobody could run them, and were followed by another: only the last is
 *     run later
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

    /** The progress of a {@link Run}. */
    public enum Phase {
        BEGUN,
        ENDED,
        /** Its end is recorded, so no one may begin it again. */
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
