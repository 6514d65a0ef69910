package io.neli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.Neli;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Has something run only while this member leads: started when it begins to lead, stopped when it ceases. It stands on
 *
 * <ul>
 *   <li>a {@code @KafkaListener} method or class, whose containers are meant;
 *   <li>the class of a {@link Lifecycle} or {@link SmartLifecycle} bean, or the {@code @Bean} method that makes one.
 * </ul>
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders")
 * @StartWhenLeading
 * void on(Order order) { ... }
 * }</pre>
 *
 * <p>Anywhere else start-up fails: {@link LeaderOnly} is what gates a method.
 *
 * <p>On {@link LeaderAcquired} it is started after the other listeners have prepared; what fails to start makes this member
 * resign. On {@link LeaderRevoked} and {@link LeaderFenced} it is stopped before the other listeners hear of it, and the
 * handover waits until it has stopped, for at most {@code neli.handover-timeout}; what has not stopped by then is logged as
 * an error, and this member does not start it, or lead, again before it has. Several in one role are started and stopped
 * in the order of their {@linkplain SmartLifecycle#getPhase() phases}. All this happens on a thread of the election.
 *
 * <p>Nobody else starts it without the lead: {@code start()} of such a bean has no effect where the role is not led, also
 * when the context starts, restarts, or the bean says that it starts by itself; whether it says so does not matter to
 * the lead. With {@code neli.enabled=false} it never runs, or just as without the annotation, by {@code neli.when-disabled}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface StartWhenLeading {

    /**
     * The role that this member must lead: one that is listed in {@code neli.roles}, or any other name, as {@link Neli}
     * says. May contain placeholders such as <code>${billing.role}</code>, which are resolved once, when the bean is created.
     * By default the first role of the list.
     */
    String role() default "";
}
