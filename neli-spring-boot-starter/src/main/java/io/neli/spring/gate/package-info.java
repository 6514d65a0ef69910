/** The implementation of {@link io.neli.spring.LeaderOnly} and {@link io.neli.spring.StartWhenLeading}. */
@NullMarked
package io.neli.spring.gate;

import org.jspecify.annotations.NullMarked;
