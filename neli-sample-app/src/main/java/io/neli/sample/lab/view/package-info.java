/**
 * What the page shows, in texts and places: pure functions of the present state and the history. The script of the page
 * only draws it.
 */
@NullMarked
package io.neli.sample.lab.view;

import org.jspecify.annotations.NullMarked;
