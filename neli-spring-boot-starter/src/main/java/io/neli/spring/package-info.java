/**
 * What an application uses: {@link io.neli.spring.LeaderOnly} on methods, {@link io.neli.spring.StartWhenLeading} on
 * beans, {@link io.neli.spring.LeadershipEvent} in event listeners, and {@link io.neli.spring.LeaderKafkaTemplates} to
 * write to Kafka.
 */
@NullMarked
package io.neli.spring;

import org.jspecify.annotations.NullMarked;
