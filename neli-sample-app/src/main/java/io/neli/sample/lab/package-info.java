/**
 * The failover lab: one or more brokers, three instances of the sample, and a page that can kill, freeze and disconnect
 * them. This package starts and stops the processes and serves the page; {@code history} derives what has happened, and
 * {@code view} what the page shows.
 */
@NullMarked
package io.neli.sample.lab;

import org.jspecify.annotations.NullMarked;
