/** What makes {@link io.neli.spring.LeaderOnly} and {@link io.neli.spring.StartWhenLeading} work. */
@NullMarked
package io.neli.spring.gate;

import org.jspecify.annotations.NullMarked;
