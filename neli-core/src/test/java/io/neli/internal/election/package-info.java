/** Tests the rules of the protocol one by one. The simulation package tests them together. */
@NullMarked
package io.neli.internal.election;

import org.jspecify.annotations.NullMarked;
