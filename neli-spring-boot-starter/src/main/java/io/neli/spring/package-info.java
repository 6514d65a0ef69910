/**
 * Leader election in a Spring application: {@link io.neli.spring.LeaderOnly} gates methods, and the
 * {@link io.neli.spring.LeadershipEvent leadership events} reach {@code @EventListener} methods.
 */
@NullMarked
package io.neli.spring;

import org.jspecify.annotations.NullMarked;
