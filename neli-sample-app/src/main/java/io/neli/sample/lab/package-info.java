/**
 * The failover lab: a broker, three instances of the sample, and a page on which they can be killed, frozen and cut off. This
 * package runs it; {@code history} derives what has happened, {@code view} what the page shows, {@code process} starts and stops
 * processes, and {@code web} serves the page.
 */
@NullMarked
package io.neli.sample.lab;

import org.jspecify.annotations.NullMarked;
