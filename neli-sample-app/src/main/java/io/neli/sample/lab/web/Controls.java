package io.neli.sample.lab.web;

/** What the buttons do. May be used by any thread; each call returns when it is done. */
public interface Controls {

    /**
     * Does something with an instance.
     *
     * @param instance its name
     * @param action in small letters
     * @throws UnknownControlException if there is no such instance or action
     * @throws RefusedControlException if it cannot be done now
     */
    void instance(String instance, String action);

    /**
     * Does something with the broker.
     *
     * @param action stop or start
     * @throws UnknownControlException if there is no such action
     * @throws RefusedControlException if it cannot be done now
     */
    void broker(String action);
}
