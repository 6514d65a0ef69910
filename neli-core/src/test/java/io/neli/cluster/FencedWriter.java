package io.neli.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.cluster.Line.Kind;

/** Writes the token of a term into a register, which refuses old tokens; reports the answer. Used by one thread. */
public final class FencedWriter {

    /** Sent instead of a token: asks for the largest token, and writes nothing. */
    public static final long QUESTION = Long.MIN_VALUE;

    private static final Duration PAUSE = Duration.ofMillis(2);

    private final Socket socket; // unlike a channel, it survives the interrupt of a fence
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Neli neli;
    private final Report report;

    FencedWriter(int port, Neli neli, Report report) throws IOException {
        this.socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        this.socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
        this.neli = neli;
        this.report = report;
    }

    private boolean leads(String role, long token) {
        return neli.isLeader(role)
                && neli.leadership(role)
                        .map(Leadership::token)
                        .filter(current -> current == token)
                        .isPresent();
    }

    /** Returns at least zero if the token is accepted; otherwise, -1 minus the largest token. */
    private long send(long token) {
        try {
            out.writeLong(token);
            out.flush();
            return in.readLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(String role, long token) {
        boolean leads = leads(role, token);
        long asked = System.nanoTime();
        long answer = send(token);
        leads &= leads(role, token); // no term comes back, so it leads at any instant in between
        report.write(
                System.nanoTime(),
                Kind.WROTE,
                "role=%s token=%d asked=%d leads=%s accepted=%s largest=%d"
                        .formatted(role, token, asked, leads, answer >= 0, answer >= 0 ? answer : -1 - answer));
    }

    /** Writes only after another leader has written, like work that was delayed after the check of its lease. */
    void writeLate(String role, long token, Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        while (-1 - send(QUESTION) <= token && System.nanoTime() < until) {
            LockSupport.parkNanos(PAUSE.toNanos());
            Thread.interrupted(); // ignores the fence
        }
        write(role, token);
    }
}
