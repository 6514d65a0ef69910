/** What makes {@link io.neli.spring.LeaderOnly} work. */
@NullMarked
package io.neli.spring.gate;

import org.jspecify.annotations.NullMarked;
