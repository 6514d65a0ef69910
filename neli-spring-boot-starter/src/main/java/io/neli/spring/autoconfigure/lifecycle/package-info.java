/** Beans and Kafka listeners that run only while a role is led. */
@NullMarked
package io.neli.spring.autoconfigure.lifecycle;

import org.jspecify.annotations.NullMarked;
