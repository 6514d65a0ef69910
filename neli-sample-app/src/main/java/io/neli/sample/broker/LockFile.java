package io.neli.sample.broker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * A lock between processes, which the kernel releases when its holder dies. A process must have a file open only once
 * while it holds the lock: on POSIX systems the first close, of any of them, releases it.
 */
final class LockFile implements AutoCloseable {

    enum Mode {
        SHARED,
        EXCLUSIVE
    }

    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    static LockFile open(Path file) throws IOException {
        return new LockFile(FileChannel.open(file, CREATE, READ, WRITE));
    }

    /** Takes the lock unless another process has it in a way that is at odds with this. Not for a lock that is held. */
    boolean tryLock(Mode mode) throws IOException {
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, mode == Mode.SHARED);
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // this very process has it, through another class loader
        }
    }

    /** As {@link #tryLock(Mode)}, again and again until the time is over. */
    boolean tryLock(Mode mode, Duration atMost) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!tryLock(mode)) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return true;
    }

    /** Releases the lock, if it is held. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
