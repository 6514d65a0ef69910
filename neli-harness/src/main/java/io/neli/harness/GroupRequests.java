package io.neli.harness;

import java.nio.ByteBuffer;
import java.util.Set;

import org.apache.kafka.common.protocol.ApiKeys;

/** Detects requests of consumer groups in the bytes that a client sends. */
final class GroupRequests {

    private static final Set<Short> GROUP_REQUESTS = Set.of(
            ApiKeys.FIND_COORDINATOR.id,
            ApiKeys.JOIN_GROUP.id,
            ApiKeys.SYNC_GROUP.id,
            ApiKeys.HEARTBEAT.id,
            ApiKeys.LEAVE_GROUP.id,
            ApiKeys.OFFSET_FETCH.id,
            ApiKeys.OFFSET_COMMIT.id);

    /** A request consists of its size (int32), its type (int16), and the rest. */
    private final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES + Short.BYTES);

    private int restOfRequest;

    /** Parses the bytes sent. Returns whether they may pass. */
    boolean allowed(ByteBuffer sent, boolean groupRequestsPass) {
        boolean allowed = true;
        while (sent.hasRemaining()) {
            if (restOfRequest > 0) {
                int skipped = Math.min(restOfRequest, sent.remaining());
                sent.position(sent.position() + skipped);
                restOfRequest -= skipped;
            } else {
                head.put(sent.get());
                if (!head.hasRemaining()) {
                    head.flip();
                    restOfRequest = head.getInt() - Short.BYTES;
                    allowed &= groupRequestsPass || !GROUP_REQUESTS.contains(head.getShort());
                    head.clear();
                }
            }
        }
        return allowed;
    }
}
