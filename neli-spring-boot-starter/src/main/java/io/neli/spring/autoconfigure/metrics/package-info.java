/** The election in Micrometer's meters; {@code docs/metrics.md} describes them. */
@NullMarked
package io.neli.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
