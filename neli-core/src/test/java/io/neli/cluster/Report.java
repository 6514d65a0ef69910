package io.neli.cluster;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.neli.cluster.Line.Kind;

/** Writes each line immediately and in one piece, so that a killed process leaves it complete or missing. */
public final class Report {

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** Fields are names and values without blanks, such as {@code role=default token=5}. */
    public void write(long nanos, Kind kind, String fields) {
        byte[] line = (Line.MARK + nanos + " " + kind + " " + fields + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (this) {
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
