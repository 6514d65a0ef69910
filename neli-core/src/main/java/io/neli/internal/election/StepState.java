package io.neli.internal.election;

/** State that a step copies, and changes only in its own copy. */
abstract class StepState implements Cloneable {

    /** A shallow copy. A subclass also copies the mutable objects that its fields refer to. */
    @Override
    protected StepState clone() {
        try {
            return (StepState) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
