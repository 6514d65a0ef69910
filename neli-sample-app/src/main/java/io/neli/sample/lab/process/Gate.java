package io.neli.sample.lab.process;

/** Open, or closed until it is opened again. */
final class Gate {

    private boolean open = true;

    synchronized void open() {
        open = true;
        notifyAll();
    }

    synchronized void close() {
        open = false;
    }

    synchronized void await() throws InterruptedException {
        while (!open) {
            wait();
        }
    }
}
