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
 * Starts something when this member begins to lead, and stops it when leadership ends. It is allowed on
 *
 * <ul>
 *   <li>a {@code @KafkaListener} method or class, for its containers;
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
 * <p>Anywhere else, and with a {@linkplain #role() role} that cannot be meant, start-up fails with a
 * {@link io.neli.NeliException}. For a method that is called there is {@link LeaderOnly}.
 *
 * <p>On {@link LeaderAcquired} it is started after the other listeners have returned; if that fails, this member
 * resigns. On {@link LeaderRevoked} it is stopped before the other listeners are notified; on {@link LeaderFenced} it
 * is asked to stop before, and waited for after. The handover waits until it has stopped, for at most {@code
 * neli.handover-timeout}, and this member does not lead again before. {@code docs/start-when-leading.md} has the
 * details.
 *
 * <p>Nothing checks leadership where the application itself starts such a bean or container. With {@code
 * neli.enabled=false} it never runs, or as on a leader, by {@code neli.when-disabled}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface StartWhenLeading {

    /** The role that this member must lead, as in {@link LeaderOnly#role()}. */
    String role() default "";
}
