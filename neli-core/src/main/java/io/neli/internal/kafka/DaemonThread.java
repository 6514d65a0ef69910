package io.neli.internal.kafka;

/** Threads that do not keep the process alive. Their creator joins them. */
final class DaemonThread {

    private DaemonThread() {}

    static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
