/** The rules of the protocol, one by one; the simulation package proves them together. */
@NullMarked
package io.neli.internal.election;

import org.jspecify.annotations.NullMarked;
