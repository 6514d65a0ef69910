/** What the page talks to: its files, the events that it shows, its buttons; for the lab's own page and nobody else. */
@NullMarked
package io.neli.sample.lab.web;

import org.jspecify.annotations.NullMarked;
