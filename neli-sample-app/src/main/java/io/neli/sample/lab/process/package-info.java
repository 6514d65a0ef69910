/** The lab's processes, network and files. */
@NullMarked
package io.neli.sample.lab.process;

import org.jspecify.annotations.NullMarked;
