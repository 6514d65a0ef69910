package io.neli.cluster;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.neli.cluster.Line.Kind;

/** Writes each line at once and in one piece, so that one of a killed process is there in full or not at all. */
public final class Report {

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    public void write(long nanos, Kind kind, Object... fields) {
        byte[] line = (Line.format(nanos, kind, fields) + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (this) {
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
