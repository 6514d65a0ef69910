package io.neli.sample.lab;

import java.util.List;

import io.neli.sample.lab.history.RoleState;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of the present; immutable.
 *
 * @param now on the lab's clock
 * @param lease in milliseconds
 */
record LabView(
        long now, long lease, String group, List<String> roles, BrokerView broker, List<InstanceView> instances) {

    /** The broker, and what can be done with it now. */
    record BrokerView(BrokerState state, String address, List<String> actions) {}

    /** How the broker does. */
    enum BrokerState {
        STARTING,
        UP,
        STOPPING,
        DOWN
    }

    /** An instance, and what can be done with it now. */
    record InstanceView(
            String name,
            @Nullable Long pid,
            ProcessState process,
            boolean cut,
            @Nullable String problem,
            @Nullable String status,
            List<String> actions,
            List<RoleState> roles) {}

    /** How an instance's process does. */
    enum ProcessState {
        STARTING,
        RUNNING,
        FROZEN,
        STOPPING,
        DEAD
    }
}
