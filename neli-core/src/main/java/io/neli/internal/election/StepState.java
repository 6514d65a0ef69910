package io.neli.internal.election;

/** What a step changes in a copy of its own. */
abstract class StepState implements Cloneable {

    /** A subclass copies what its fields refer to, where that changes too. */
    @Override
    protected StepState clone() {
        try {
            return (StepState) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
