/** Whether the election works, for the actuator's health endpoint. */
@NullMarked
package io.neli.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
