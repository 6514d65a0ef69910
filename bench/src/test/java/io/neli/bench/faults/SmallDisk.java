package io.neli.bench.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A separate file system for one broker, so that it can be full. Needs the right to mount one. */
final class SmallDisk implements AutoCloseable {

    private static final String SIZE = "192m";
    private static final long LIMIT_SECONDS = 30;
    private static final int CHUNK = 1 << 16;

    private final Path directory;
    private final boolean mounted;
    private final Thread unmount = new Thread(this::unmount, "unmount");

    private SmallDisk(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
    }

    /** Mounts the disk at the directory if this process may; otherwise the directory remains as it is. */
    static SmallDisk at(Path directory) {
        SmallDisk disk = new SmallDisk(
                directory, run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "neli-broker", directory.toString()));
        if (disk.mounted) {
            Runtime.getRuntime().addShutdownHook(disk.unmount);
        }
        return disk;
    }

    private static boolean run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // the command does not exist
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    boolean canBeFilled() {
        return mounted;
    }

    private Path ballast() {
        return directory.resolve("ballast");
    }

    /** Fills the disk until it takes no more bytes. */
    void fill() {
        if (!mounted) {
            throw new IllegalStateException("the disk of the whole machine is not filled");
        }
        try (OutputStream out = Files.newOutputStream(ballast())) {
            byte[] chunk = new byte[CHUNK];
            while (true) {
                out.write(chunk);
            }
        } catch (IOException e) {
            // no space left, as wanted
        }
    }

    void free() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unmount() {
        run("umount", "-l", directory.toString());
    }

    @Override
    public void close() {
        if (mounted) {
            unmount();
            Runtime.getRuntime().removeShutdownHook(unmount);
        }
    }
}
