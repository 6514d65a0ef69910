/** The rules of the protocol, one by one; the simulation package proves them together. */
@NullMarked
package io.neli.protocol;

import org.jspecify.annotations.NullMarked;
