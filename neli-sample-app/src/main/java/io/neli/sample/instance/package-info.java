/** A typical application: a job that only the leader does, and a log of leadership. */
@NullMarked
package io.neli.sample.instance;

import org.jspecify.annotations.NullMarked;
