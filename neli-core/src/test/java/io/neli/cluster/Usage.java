package io.neli.cluster;

import java.io.File;
import java.lang.management.ManagementFactory;

import io.neli.cluster.Line.Kind;

/** The resources that a member's JVM uses at this moment, reported after a garbage collection. */
final class Usage {

    private Usage() {}

    static void report(Report report) {
        System.gc();
        String[] descriptors = new File("/proc/self/fd").list();
        report.write(
                System.nanoTime(),
                Kind.USAGE,
                "threads",
                ManagementFactory.getThreadMXBean().getThreadCount(),
                "heap",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                "descriptors",
                descriptors == null ? 0 : descriptors.length);
    }
}
