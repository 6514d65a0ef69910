package io.neli.internal.election.simulation;

/** An invariant that did not hold. */
final class SimulationFailure extends RuntimeException {

    SimulationFailure(String message) {
        super(message);
    }
}
