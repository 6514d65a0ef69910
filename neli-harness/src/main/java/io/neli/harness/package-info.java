/** Processes, brokers and the links between them, for the tests and the failover lab. */
@NullMarked
package io.neli.harness;

import org.jspecify.annotations.NullMarked;
