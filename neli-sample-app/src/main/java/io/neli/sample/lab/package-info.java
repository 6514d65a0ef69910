/**
 * The failover lab: a broker, three instances of the sample, and a page on which they can be killed, frozen and cut off.
 * This package runs it, on one thread; {@code history} says what has happened, {@code process} starts and stops things,
 * {@code web} talks to the page.
 */
@NullMarked
package io.neli.sample.lab;

import org.jspecify.annotations.NullMarked;
