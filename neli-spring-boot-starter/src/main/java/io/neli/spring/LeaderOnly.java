package io.neli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.LeaderAcquired;
import io.neli.Neli;
import io.neli.NeliBuilder;

/**
 * Runs a method only where this member leads; elsewhere the call is skipped and returns {@code null}, or an empty
 * {@link java.util.Optional}. On a type it applies to each method of the type that a proxy can intercept, but for
 * {@code equals}, {@code hashCode} and {@code toString}.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly
 * void settle() { ... }
 * }</pre>
 *
 * <p>The call is {@linkplain Neli#beginWork() gated work}, from before the first to after the last of the method's
 * {@code @Transactional} and other interceptors:
 *
 * <ul>
 *   <li>it starts when the {@link LeaderAcquired} listeners have returned, and not while the member hands over;
 *   <li>a handover waits for it, for at most the handover timeout: nobody else leads while it runs (with
 *       {@link io.neli.protocol.Mode#NON_EXCLUSIVE} others may);
 *   <li>a fence interrupts it, unless that was {@linkplain NeliBuilder#interruptOnFence switched off}. What the method
 *       throws then, the caller gets.
 * </ul>
 *
 * <p>With {@code @Async} the work is gated on the thread that does it, not where it is submitted; with
 * {@code @Retryable} each attempt is gated anew. Work that the method hands to another thread and does not wait for is
 * not gated, nor is a call from within the same object: that does not pass through the proxy.
 *
 * <p>Start-up fails where the annotation could not work: on a private, final or static method, on one that returns a
 * primitive, which has no value for "skipped", and on one that listens to a {@link LeadershipEvent}, during which no gated
 * work begins; also where the role is blank or has a placeholder that nothing resolves.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {

    /**
     * The role that this member must lead: one that is listed in {@code neli.roles}, or any other name, as {@link Neli}
     * says. May contain placeholders such as <code>${billing.role}</code>, which are resolved once, when the bean is created.
     * By default the first role of the list.
     */
    String role() default "";
}
