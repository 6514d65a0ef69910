package io.neli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;

import static org.assertj.core.api.Assertions.assertThat;

/** Records the events of one member, and the threads that delivered them. */
public final class EventRecorder implements LeaderListener {

    private final List<LeaderEvent> events = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final List<Optional<Leader>> leaders = new CopyOnWriteArrayList<>();
    private volatile boolean tokensMayRestart;

    @Override
    public void onEvent(LeaderEvent event) {
        threads.add(Thread.currentThread().getName());
        events.add(event);
    }

    @Override
    public void onLeaderChanged(String role, Optional<Leader> leader) {
        threads.add(Thread.currentThread().getName());
        leaders.add(leader);
    }

    /** All notifications of who leads, in any role. */
    public List<Optional<Leader>> leaders() {
        return List.copyOf(leaders);
    }

    public List<LeaderEvent> all() {
        return List.copyOf(events);
    }

    public <T extends LeaderEvent> List<T> of(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Call this if the test deletes the leader topic, because tokens then restart. */
    void topicIsDeleted() {
        tokensMayRestart = true;
    }

    /**
     * Asserts that each term of each role is acquired, then revoked, fenced, or one and then the other; tokens grow.
     */
    public void assertLegal() {
        events.stream().map(LeaderEvent::role).distinct().forEach(role -> assertLegal(of(role)));
    }

    public List<LeaderEvent> of(String role) {
        return events.stream().filter(event -> event.role().equals(role)).toList();
    }

    private void assertLegal(List<LeaderEvent> received) {
        List<String> letters = new ArrayList<>();
        long token = -1;
        for (LeaderEvent event : received) {
            if (event instanceof LeaderAcquired) {
                assertThat(event.token())
                        .as("token of %s in %s", event, received)
                        .isGreaterThan(token);
                token = event.token();
            } else {
                assertThat(event.token())
                        .as("token of %s in %s", event, received)
                        .isEqualTo(token);
                token = event instanceof LeaderFenced && tokensMayRestart ? -1 : token;
            }
            letters.add(event.getClass().getSimpleName().substring("Leader".length(), "Leader".length() + 1));
        }
        assertThat(String.join("", letters)).as("%s", received).matches("(A(R|F|RF))*A?");
    }

    public void assertOnThread(String name) {
        assertThat(threads).as("threads of the events").allMatch(name::equals);
    }
}
