package io.neli.internal.election.simulation;

/**
 * A rule of the protocol, and a change of the source that breaks it.
 *
 * @param section of the protocol; 0 for the rules for several logs
 * @param rule what the source no longer does
 * @param file the name of the class
 * @param original a text that is in the file once
 * @param broken what replaces it
 * @param kind the schedules that see it
 */
record Mutant(int section, String rule, String file, String original, String broken, Kind kind) {}
