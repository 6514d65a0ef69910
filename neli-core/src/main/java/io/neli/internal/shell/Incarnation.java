package io.neli.internal.shell;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.UUID;

import io.neli.internal.election.Moment;

/** Draws the random id that distinguishes one start of a member from all others. */
final class Incarnation {

    private Incarnation() {}

    /**
     * Draws from the operating system now, because copies of a process share the state of their own generators. The
     * clocks distinguish copies of a whole machine, because their operating systems may share that state, too.
     */
    static UUID drawn(Moment now) {
        ByteBuffer drawn = ByteBuffer.wrap(ofSystem().generateSeed(2 * Long.BYTES));
        return new UUID(drawn.getLong() ^ now.time().nanos(), drawn.getLong() ^ now.wallMillis());
    }

    private static SecureRandom ofSystem() {
        try {
            return SecureRandom.getInstance("NativePRNGNonBlocking");
        } catch (NoSuchAlgorithmException e) {
            return new SecureRandom(); // on Windows
        }
    }
}
