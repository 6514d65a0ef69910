/** Spring Boot's auto-configuration of an election: properties, connection, lifecycle. */
@NullMarked
package io.neli.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
