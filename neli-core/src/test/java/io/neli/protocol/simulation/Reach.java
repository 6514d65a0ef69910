package io.neli.protocol.simulation;

/** How a member reaches one partition. */
final class Reach {
    boolean open;
    int position;
    int visible;
    boolean cannotRead;
    boolean cannotWrite;
    long lastArrival;
}
