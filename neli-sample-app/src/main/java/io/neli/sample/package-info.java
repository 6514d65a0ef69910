/** One program, two ways: an ordinary instance, or the lab that starts some of them. */
@NullMarked
package io.neli.sample;

import org.jspecify.annotations.NullMarked;
