package io.neli.internal.shell;

import java.time.Duration;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;

/**
 * The logs and the group of an election, on one kind of server. Passes what it learns there to the {@link
 * ElectionDriver}. Belongs to the election's thread unless a method says otherwise.
 */
public interface Logs {

    /** Connects, with a time limit for each step. Called on its own thread, which is interrupted to give up. */
    Connection connect() throws Exception;

    /** A majority of the logs of a partition is open and can be written; called again after each reconnect. */
    void opened();

    /** The handover has ended or was given up: the member leaves the group. */
    void settled();

    /** Describes why there is no connection, or why it has ended. */
    Problem describe(Throwable failure);

    /** The member has another identity now: it opens its logs on another connection and joins its group again. */
    void renewed();

    /** Asks the group to assign the partitions again. Called within a step of the election. */
    void rejoin();

    /** Opens a log again, to read from further back. Called within a step of the election. */
    void readFurtherBack(LogId log);

    /** Ends what {@link #opened} has started; waits up to a limit. Called on the thread that closes the member. */
    void close();

    /** Thrown when another connection is needed although the current one has not failed. */
    final class ConnectAgain extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public ConnectAgain(String why) {
            super(why);
        }
    }

    /**
     * A connection to the logs. After it has thrown, it cannot be used any more. The next one continues where it ended,
     * without a gap if the logs are the same.
     */
    interface Connection extends AutoCloseable {

        /** Continues where the last connection ended. Called once, before the other methods. */
        void begin();

        /**
         * Writes a record; never waits. A record whose write has failed may still be in the log.
         *
         * @param readerPosition how far the log has been read
         */
        void append(LogId log, LogRecord content, long readerPosition);

        /** Opens the logs that are ready to be opened; never waits. */
        void open() throws InterruptedException;

        /** Passes new records to the election; if there are none, waits for some, at most this long. */
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
