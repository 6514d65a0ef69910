/** The election's Micrometer meters, which {@code docs/metrics.md} describes. */
@NullMarked
package io.neli.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
