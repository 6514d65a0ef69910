/** Rules that are broken on purpose, to see that a simulation notices. */
@NullMarked
package io.neli.internal.mutants;

import org.jspecify.annotations.NullMarked;
