/** The actuator's {@code neli} endpoint: shows the election, and makes it hand over. */
@NullMarked
package io.neli.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
