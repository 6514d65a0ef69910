/** The lab's processes, its network and its files. */
@NullMarked
package io.neli.sample.lab.process;

import org.jspecify.annotations.NullMarked;
