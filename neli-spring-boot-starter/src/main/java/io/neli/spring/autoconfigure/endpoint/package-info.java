/** The actuator's {@code neli} endpoint, which shows the election and makes this member hand over. */
@NullMarked
package io.neli.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
