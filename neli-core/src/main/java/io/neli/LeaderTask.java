package io.neli;

/** A step of work for {@link Neli#background}; should be short, or answer to interruption. */
@FunctionalInterface
public interface LeaderTask {

    /**
     * Does one step.
     *
     * @param leadership the term it runs in
     * @throws Exception to be logged; the task is called again after a heartbeat interval
     */
    void run(Leadership leadership) throws Exception;
}
