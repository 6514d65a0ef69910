/**
 * The election as pure functions: what the log says, who may lead, who claims. They use no Kafka, clock, thread, logger
 * or source of randomness; the time is an argument. The protocol is described in {@code docs/how-it-works.md}.
 */
@NullMarked
package io.neli.internal.election;

import org.jspecify.annotations.NullMarked;
