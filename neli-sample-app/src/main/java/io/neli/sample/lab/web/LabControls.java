package io.neli.sample.lab.web;

import io.neli.sample.lab.view.PageView;

/** What the page shows and does. Thread-safe. */
public interface LabControls {

    /** What the page shows now. */
    PageView view();

    /**
     * Does something with an instance.
     *
     * @param action in small letters
     * @throws IllegalArgumentException if there is no such instance or action
     * @throws IllegalStateException if that is not possible now; its message is for the user
     */
    void instance(String instance, String action);

    /**
     * Stops or starts the broker.
     *
     * @throws IllegalArgumentException if there is no such action
     * @throws IllegalStateException if that is not possible now; its message is for the user
     */
    void broker(String action);
}
