package io.neli.bench.faults;

import java.util.List;
import java.util.Optional;

import io.neli.cluster.MemberProcess;

/** Faults of the records; with a quorum, of the records of one log. */
final class LogFaults {

    private final Scene scene;

    LogFaults(Scene scene) {
        this.scene = scene;
    }

    /** Begins the fault. The returned action ends it. */
    Runnable begin(Fault fault, Targets targets) {
        List<String> topics = scene.topics();
        String topic = topics.get(fault.variant() % topics.size());
        return switch (fault.kind()) {
            case RETENTION -> {
                Optional<MemberProcess> reader =
                        scene.group().member(targets.member(fault)).filter(member -> !member.isStopped());
                reader.ifPresent(MemberProcess::stop);
                yield () -> {
                    tryTo(() -> scene.view().deleteRecords(topic));
                    reader.ifPresent(MemberFaults::resume);
                };
            }
            case TOPIC_DELETED -> {
                tryTo(() -> scene.view().deleteTopic(topic));
                yield () -> {}; // the members create it again
            }
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    /** Ignores a failure: the other fault of a pair may have disabled the brokers that the action needs. */
    static void tryTo(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            System.out.println("not done: " + e.getMessage());
        }
    }
}
