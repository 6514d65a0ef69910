/** Support for tests of applications: {@link io.neli.test.FakeNeli} leads when the test says so. */
@NullMarked
package io.neli.test;

import org.jspecify.annotations.NullMarked;
