/** The web interface of the lab, for its own page only. */
@NullMarked
package io.neli.sample.lab.web;

import org.jspecify.annotations.NullMarked;
