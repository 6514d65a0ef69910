/** Who leads, for the actuator's info endpoint. */
@NullMarked
package io.neli.spring.autoconfigure.info;

import org.jspecify.annotations.NullMarked;
