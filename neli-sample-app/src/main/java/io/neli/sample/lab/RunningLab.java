package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.neli.sample.lab.history.History;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.LabDirectory;
import io.neli.sample.lab.process.LedgerReader;
import io.neli.sample.lab.process.Reaper;
import io.neli.sample.lab.web.RefusedControlException;
import io.neli.sample.lab.web.Updates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lab, its thread, and what runs beside it. */
final class RunningLab implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RunningLab.class);

    private static final Duration TICK = Duration.ofMillis(200);

    /** More than a handover may take; more than the broker takes to end itself. */
    private static final Duration END_OF_INSTANCES = Duration.ofSeconds(15);

    private static final Duration END_OF_BROKER = Duration.ofSeconds(12);
    private static final Duration END_OF_KILLED = Duration.ofSeconds(5);

    /** More than a freeze waits for the middle of a write. */
    private static final Duration ACTION = Duration.ofSeconds(10);

    private final LabThread thread;
    private final Network network;
    private final LedgerReader ledgerReader;
    private final Lab lab;

    private RunningLab(LabThread thread, Network network, LedgerReader ledgerReader, Lab lab) {
        this.thread = thread;
        this.network = network;
        this.ledgerReader = ledgerReader;
        this.lab = lab;
    }

    /**
     * Starts the broker, and everything else when that is up.
     *
     * @throws IOException if there is no way to; then nothing runs
     */
    static RunningLab start(LabSettings settings, LabDirectory directory, Reaper reaper, Updates updates)
            throws IOException {
        LabClock clock = new LabClock();
        LabThread thread = new LabThread();
        Network network = Network.open(settings.instances());
        LabRecord record =
                new LabRecord(new History(settings.roles(), settings.lease().toMillis()), updates);
        Processes processes = new Processes(directory, reaper, clock, thread);
        try {
            Lab lab = new Lab(settings, clock, thread, record, network, processes);
            thread.execute(lab::start);
            thread.executeEvery(TICK, lab::tick);
            CommittedEntries entries = new CommittedEntries(clock, thread, record::add);
            LedgerReader ledgerReader =
                    LedgerReader.start(network.directAddress(), settings.ledgerTopic(), entries::read);
            return new RunningLab(thread, network, ledgerReader, lab);
        } catch (IOException | RuntimeException e) {
            thread.close();
            network.close();
            throw e;
        }
    }

    void perform(String instance, String action) {
        await(() -> lab.perform(instance, action));
    }

    void performOnBroker(String action) {
        await(() -> lab.performOnBroker(action));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a future of a future, and it is not
    private void await(Supplier<CompletableFuture<Void>> action) {
        try {
            thread.call(action).thenCompose(Function.identity()).get(ACTION.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new RefusedControlException("not done within " + ACTION.toSeconds() + " s; see whether it still is");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedControlException("the lab is ending");
        }
    }

    /** Ends the instances, then the broker, and waits for each, but not for ever: then they are killed. */
    @Override
    public void close() {
        try {
            end(lab::endInstances, END_OF_INSTANCES);
            end(lab::endBroker, END_OF_BROKER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the reaper sees to what is left
        }
        ledgerReader.close();
        network.close();
        thread.close();
    }

    private void end(Supplier<List<ChildProcess>> request, Duration atMost) throws InterruptedException {
        List<ChildProcess> processes;
        try {
            processes = thread.call(request).get(ACTION.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.error("Left to the reaper", e);
            return;
        }
        long begin = System.nanoTime();
        for (ChildProcess process : processes) {
            Duration left = atMost.minusNanos(System.nanoTime() - begin);
            if (!process.awaitEnd(left.isNegative() ? Duration.ZERO : left)) {
                log.warn("Process {} has not ended within {} s: killed", process.pid(), atMost.toSeconds());
                process.kill();
                process.awaitEnd(END_OF_KILLED);
            }
        }
    }
}
