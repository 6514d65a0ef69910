package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A number in a file, which several processes use without a lock. */
final class Counter {

    private final RandomAccessFile file; // unlike a channel, it survives the interrupt of a fence

    Counter(File file) throws IOException {
        this.file = new RandomAccessFile(file, "rw");
    }

    long read() {
        try {
            file.seek(0);
            return file.length() == 0 ? 0 : file.readLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        try {
            file.seek(0);
            file.write(bytes); // in one call, so a killed process has written all of it or nothing
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
