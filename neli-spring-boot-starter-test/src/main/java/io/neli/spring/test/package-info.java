/** Support for tests of Spring applications: {@link io.neli.spring.test.NeliTest}. */
@NullMarked
package io.neli.spring.test;

import org.jspecify.annotations.NullMarked;
