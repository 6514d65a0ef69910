package io.neli.internal.shell;

import java.time.Duration;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;

/** Logs and a connection with nothing to read. */
public class EmptyLogs implements Logs, Logs.Connection {

    @Override
    public Connection connect() {
        return this;
    }

    @Override
    public void begin() {}

    @Override
    public void append(LogId log, LogRecord content, long readerPosition) {}

    @Override
    public void open() {}

    @Override
    public void read(Duration longest) {}

    @Override
    public Set<LogId> lostLogs() {
        return Set.of();
    }

    @Override
    public void wakeup() {}

    @Override
    public void opened() {}

    @Override
    public void settled() {}

    @Override
    public Problem describe(Throwable failure) {
        return new Problem(String.valueOf(failure), "none", true);
    }

    @Override
    public void renewed() {}

    @Override
    public void rejoin() {}

    @Override
    public void readFurtherBack(LogId log) {}

    @Override
    public void close() {}
}
