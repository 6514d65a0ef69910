package io.neli.sample.lab.history;

/**
 * One leader follows another.
 *
 * @param at when the next one led
 * @param token of the next one
 * @param planned whether the former one handed over
 * @param millis how long it took: from the fault, or from the moment from which nobody led; where nobody could have led
 *     for a part of that time, because the broker was away or no instance stood, from the end of that part
 */
public record Change(
        String role, long at, String from, String to, long token, Cause cause, boolean planned, long millis) {}
