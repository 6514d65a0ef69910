/** Tests of applications whose beans lead: {@link io.neli.spring.test.NeliTest}. */
@NullMarked
package io.neli.spring.test;

import org.jspecify.annotations.NullMarked;
