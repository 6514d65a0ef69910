/** Breaks rules on purpose, to test that a simulation detects it. */
@NullMarked
package io.neli.internal.mutants;

import org.jspecify.annotations.NullMarked;
