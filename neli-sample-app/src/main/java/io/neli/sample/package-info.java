/** One program: an ordinary instance, or the lab, which starts three of them. */
@NullMarked
package io.neli.sample;

import org.jspecify.annotations.NullMarked;
