/** The actuator's {@code neli} endpoint: looks into the election, and hands over. */
@NullMarked
package io.neli.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
