/**
 * The failover lab: a broker, three instances of the sample, and a page on which they can be killed, frozen and cut
 * off. This package runs it and serves the page; {@code history} derives what has happened, {@code view} what the page
 * shows, and {@code process} starts and stops processes.
 */
@NullMarked
package io.neli.sample.lab;

import org.jspecify.annotations.NullMarked;
