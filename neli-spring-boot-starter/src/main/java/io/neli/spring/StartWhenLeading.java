package io.neli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Starts a Kafka listener or a lifecycle bean when this member begins to lead, and stops it when leadership ends. The
 * annotation is allowed on
 *
 * <ul>
 *   <li>a {@code @KafkaListener} method or class: its containers are started and stopped;
 *   <li>a {@link Lifecycle} or {@link SmartLifecycle} bean that does not start by itself: on its class, or on its
 *       {@code @Bean} method. A {@code SmartLifecycle} must return false from {@link SmartLifecycle#isAutoStartup()}.
 * </ul>
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders", groupId = "billing")
 * @StartWhenLeading
 * void on(Order order) { ... }
 * }</pre>
 *
 * <p>Anywhere else, or with an invalid {@linkplain #role() role}, start-up fails with a {@link io.neli.NeliException}.
 * For methods that are called, use {@link LeaderOnly}.
 *
 * <p>On {@link LeaderAcquired} it is started after the other listeners have returned; if that fails, this member
 * resigns. On {@link LeaderRevoked} it is stopped before the other listeners are notified; on {@link LeaderFenced} it
 * is asked to stop before they are notified, and waited for after they have returned. The handover waits until it has
 * stopped, for at most {@code neli.handover-timeout}. Even after that time, this member does not lead again until it
 * has stopped. {@code docs/start-when-leading.md} has the details.
 *
 * <p>Leadership is not checked if the application itself starts such a bean or container. With {@code
 * neli.enabled=false}, {@code neli.when-disabled} decides whether it never runs or runs as on a leader.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface StartWhenLeading {

    /** The role that this member must lead, as in {@link LeaderOnly#role()}. */
    String role() default "";
}
