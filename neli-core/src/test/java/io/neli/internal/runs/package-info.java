@NullMarked
package io.neli.internal.runs;

import org.jspecify.annotations.NullMarked;
