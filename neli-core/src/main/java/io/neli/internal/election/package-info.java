/**
 * The election as pure functions: what the log says, who may lead, who claims. Knows no Kafka, no clock, no thread, no
 * logger and no source of chance; time comes in with each input.
 */
@NullMarked
package io.neli.internal.election;

import org.jspecify.annotations.NullMarked;
