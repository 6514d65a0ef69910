package io.neli.internal.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.neli.internal.shell.Problem;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * The result of a search for the topics, by log number.
 *
 * @param unusable why the other topics are unusable; {@link UnusableLogException} if something must change first
 * @param narrow why some usable topics have fewer partitions than this member needs
 */
record FoundTopics(
        Map<Integer, TopicDescription> usable, Map<Integer, RuntimeException> unusable, Map<Integer, Problem> narrow) {

    /** One step of the search, for one topic. */
    interface Step {
        void take(int number) throws InterruptedException;
    }

    /** Runs a step for each topic; leaves out those for which it fails. */
    void each(Collection<Integer> numbers, Step step) throws InterruptedException {
        for (int number : List.copyOf(numbers)) {
            try {
                step.take(number);
            } catch (RuntimeException e) {
                leaveOut(number, e);
            }
        }
    }

    void leaveOut(int number, RuntimeException why) {
        usable.remove(number);
        narrow.remove(number);
        unusable.put(number, why);
    }

    TopicDescription topic(int number) {
        return Objects.requireNonNull(usable.get(number));
    }
}
