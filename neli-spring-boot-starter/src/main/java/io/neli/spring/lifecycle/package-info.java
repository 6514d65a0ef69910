/** What makes {@link io.neli.spring.StartWhenLeading} work. */
@NullMarked
package io.neli.spring.lifecycle;

import org.jspecify.annotations.NullMarked;
