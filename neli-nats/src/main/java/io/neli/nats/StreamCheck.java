package io.neli.nats;

import java.util.List;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.PersistMode;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import io.neli.internal.shell.UnusableLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses settings of a stream that no log can rely on. Belongs to one thread. */
final class StreamCheck {

    private static final Logger log = LoggerFactory.getLogger(StreamCheck.class);

    static final int USUAL_REPLICAS = 3;

    /** More than is written within any lease, and than all runs of jobs need. */
    private static final long LEAST_BYTES = 64L << 20;

    private final String named;
    private final String user;
    private boolean warned;

    /**
     * @param named the stream, for messages
     * @param user what needs it, for messages
     */
    StreamCheck(String named, String user) {
        this.named = named;
        this.user = user;
    }

    void check(StreamConfiguration found) {
        require(!found.getSealed(), "it is sealed", "a stream that can be written"); // the server changes more of it
        require(found.getStorageType() == StorageType.File, "its storage is " + found.getStorageType(), "file");
        require(
                found.getRetentionPolicy() == RetentionPolicy.Limits,
                "its retention is " + found.getRetentionPolicy(),
                "limits");
        require(!found.getNoAck(), "it acknowledges nothing", "acknowledgements");
        require(
                found.getPersistMode() != PersistMode.Async,
                "its persist_mode is async, so it acknowledges what is not written yet",
                "the default");
        require(
                found.getSubjectTransform() == null,
                "its subject_transform is " + transform(found),
                "messages under the subjects that they are published to");
        require(found.getMaxMsgs() <= 0, "it keeps at most " + found.getMaxMsgs() + " messages", "no such limit");
        boolean mayForget = found.getMaxBytes() > 0 && found.getDiscardPolicy() == DiscardPolicy.Old;
        require(
                !mayForget || found.getMaxBytes() >= LEAST_BYTES,
                "it keeps at most " + found.getMaxBytes() + " bytes and discards old messages",
                "no such limit, or at least " + LEAST_BYTES);
        require(found.getMirror() == null && isEmpty(found.getSources()), "it copies other streams", "no sources");
    }

    private static String transform(StreamConfiguration found) {
        SubjectTransform transform = found.getSubjectTransform();
        return transform == null ? "none" : "'" + transform.getSource() + "' to '" + transform.getDestination() + "'";
    }

    private static boolean isEmpty(@Nullable List<?> list) {
        return list == null || list.isEmpty();
    }

    void require(boolean condition, String is, String needed) {
        if (!condition) {
            throw unusable(is, needed, "change it, or delete it and let the members create it");
        }
    }

    UnusableLogException unusable(String is, String needed, String how) {
        return new UnusableLogException(named + ": " + is + ", and " + user + " needs " + needed, how);
    }

    /** Warns once if the crash of one server may make the stream unusable although there are others. */
    void warnOfFewReplicas(StreamConfiguration found, int servers) {
        if (found.getReplicas() < USUAL_REPLICAS && servers >= USUAL_REPLICAS && !warned) {
            warned = true;
            log.warn(
                    "{}: it has {} replicas on {} servers, so the crash of one may stop {}; give it three",
                    named,
                    found.getReplicas(),
                    servers,
                    user);
        }
    }
}
