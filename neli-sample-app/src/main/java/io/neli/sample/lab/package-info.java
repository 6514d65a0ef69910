/**
 * The failover lab: one or more brokers, three instances of the sample, and a page that can kill, freeze and disconnect
 * them. This package runs the lab and serves the page; {@code history} derives what has happened, {@code view} what the
 * page shows, and {@code process} starts and stops processes.
 */
@NullMarked
package io.neli.sample.lab;

import org.jspecify.annotations.NullMarked;
