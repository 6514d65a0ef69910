package io.neli.internal.shell;

import java.time.Duration;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;

/**
 * The logs of an election, and its group, on one kind of server. What it learns there it gives to the {@link
 * ElectionDriver}. Belongs to the election's thread unless a method says otherwise.
 */
public interface Logs {

    /** Before everything else. Called on the thread that starts the member. */
    void start(ElectionDriver driver);

    /**
     * Connects; every step has a limit. Called on a thread of its own, which is interrupted when nobody waits for it
     * any more.
     */
    Connection connect() throws Exception;

    /** A majority of the logs of a partition is open and can be written; called again after each reconnect. */
    void opened();

    /** Everything was handed over: the member leaves the group. */
    void settled();

    /** Why there is no connection, or no longer. */
    Problem describe(Throwable failure);

    /** The member goes on as another one: it opens its logs on another connection, and joins its group again. */
    void renewed();

    /** The group is to assign the partitions again. May be called from any thread. */
    void rejoin();

    /** Within a step of the election: a log is to be opened again, from further back. */
    void readFurtherBack(LogId log);

    /**
     * Ends what {@link #start} and {@link #opened} have started; waits with a limit. Called on the thread that closes
     * the member.
     */
    void close();

    /** Thrown by a connection where another is needed although nothing is wrong with it. */
    final class ConnectAgain extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public ConnectAgain(String why) {
            super(why);
        }
    }

    /** Where the election's records go. */
    @FunctionalInterface
    interface Writer {

        /**
         * Never waits. A record that could not be written may still be in the log.
         *
         * @param readerPosition how far the log has been read
         */
        void append(LogId log, LogRecord content, long readerPosition);
    }

    /**
     * A connection. When it throws it cannot be used any more: the next one continues where it ended, which is no gap
     * in the same logs.
     */
    interface Connection extends AutoCloseable {

        /** Continues where the last connection ended. Called once, before the other methods. */
        void begin();

        Writer writer();

        /** Opens the logs that can be opened by now; never waits. */
        void open() throws InterruptedException;

        /** Gives the election what is to be read, or waits until there is something; at most for so long. */
        void read(Duration longest) throws InterruptedException;

        /** The logs that do not work, although the connection does. May be called from any thread. */
        default Set<LogId> lostLogs() {
            return Set.of();
        }

        /** Ends the current {@link #read}, or the next one. May be called from any thread. */
        void wakeup();

        /** Called even if it was never used, on any thread. */
        @Override
        void close();
    }
}
