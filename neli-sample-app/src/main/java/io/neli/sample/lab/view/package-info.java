/**
 * Computes what the page shows, as texts and positions: pure functions of the current state and the history. The page's
 * script only draws it.
 */
@NullMarked
package io.neli.sample.lab.view;

import org.jspecify.annotations.NullMarked;
